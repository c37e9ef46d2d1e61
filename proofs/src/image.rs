// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
//! The machine code: the assembly objects of the static library, as they were built, each section at an address of its own.
use crate::machine::form::Form;
use crate::proof::Call;
use iced_x86::*;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol, RelocationKind, RelocationTarget, SectionKind, SymbolKind};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Clone)]
pub struct Section {
    pub name: String,
    pub address: u64,
    pub data: Vec<u8>,
    pub align: u64,
}

#[derive(Clone, Copy)]
pub struct Function {
    pub address: u64,
    pub size: u64,
}

#[derive(Clone)]
pub struct Image {
    pub code: Vec<Section>,
    pub constants: Vec<Section>,
    pub functions: BTreeMap<String, Function>,
    decoded: HashMap<u64, Instruction>,
    /// Those that may be executed, see cpu_check.rs
    pub allowed: HashSet<Form>,
    /// The instructions that were asked for, which is when they are executed
    executed: RefCell<FxHashSet<u64>>,
    /// What is done to each call of its functions, see proof/sabotage.rs
    pub spoil: Option<fn(&mut Call)>,
}

/// Sections are this far apart, so that no address is in two of them, and within reach of 32 bits.
const DISTANCE: u64 = 1 << 20;

impl Image {
    /// The members of the archive that were assembled from .S files
    pub fn load(path: &str) -> Result<Image, String> {
        let file = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
        let archive = ArchiveFile::parse(&*file).map_err(|e| format!("{path}: {e}"))?;
        let mut image = Image {
            code: vec![],
            constants: vec![],
            functions: BTreeMap::new(),
            decoded: HashMap::new(),
            allowed: HashSet::new(),
            executed: Default::default(),
            spoil: None,
        };
        let mut address = DISTANCE;
        for member in archive.members() {
            let member = member.map_err(|e| e.to_string())?;
            let name = String::from_utf8_lossy(member.name()).into_owned();
            if name.ends_with(".S.o") {
                image.load_object(&name, member.data(&*file).map_err(|e| e.to_string())?, &mut address)?;
            }
        }
        if image.functions.is_empty() {
            return Err(format!("{path}: no assembly functions in it"));
        }
        for function in image.functions.values().copied().collect::<Vec<_>>() {
            image.decode(function)
        }
        Ok(image)
    }

    /// A function of these bytes, "code", for tests
    #[cfg(test)]
    pub fn of_code(code: &[u8]) -> Image {
        let section = Section { name: "code".into(), address: DISTANCE, data: code.into(), align: 16 };
        let function = Function { address: DISTANCE, size: code.len() as u64 };
        let mut image = Image {
            code: vec![section],
            constants: vec![],
            functions: [("code".into(), function)].into(),
            decoded: HashMap::new(),
            allowed: HashSet::new(),
            executed: Default::default(),
            spoil: None,
        };
        image.decode(function);
        image
    }

    /// A sweep over a function.  Only where it finds an instruction may one begin.
    fn decode(&mut self, function: Function) {
        let end = function.address + function.size;
        self.decoded.retain(|ip, _| *ip < function.address || end <= *ip);
        let section = self.code.iter().find(|s| s.address <= function.address && end <= s.end()).expect("a function in no section");
        let code = &section.data[(function.address - section.address) as usize..(end - section.address) as usize];
        for i in &mut Decoder::with_ip(64, code, function.address, DecoderOptions::NONE) {
            self.decoded.insert(i.ip(), i);
        }
    }

    /// The same image with other bytes there, in code or in constants
    pub fn with_bytes(&self, address: u64, bytes: &[u8]) -> Image {
        let mut image = self.clone();
        for section in image.code.iter_mut().chain(&mut image.constants) {
            if section.address <= address && address < section.end() {
                let from = (address - section.address) as usize;
                section.data[from..from + bytes.len()].copy_from_slice(bytes)
            }
        }
        for function in self.functions.values().filter(|f| f.address <= address && address < f.address + f.size) {
            image.decode(*function)
        }
        image
    }

    fn load_object(&mut self, name: &str, data: &[u8], address: &mut u64) -> Result<(), String> {
        let object = object::File::parse(data).map_err(|e| format!("{name}: {e}"))?;
        let mut at = HashMap::new();
        for section in object.sections().filter(|s| matches!(s.kind(), SectionKind::Text | SectionKind::ReadOnlyData)) {
            at.insert(section.index(), *address);
            *address += DISTANCE;
        }
        for section in object.sections().filter(|s| at.contains_key(&s.index())) {
            let here = at[&section.index()];
            let mut bytes = section.data().map_err(|e| e.to_string())?.to_vec();
            for (offset, relocation) in section.relocations() {
                let target = match relocation.target() {
                    RelocationTarget::Symbol(s) => object.symbol_by_index(s).ok(),
                    _ => None,
                };
                let base = target.as_ref().and_then(|s| s.section_index()).and_then(|i| at.get(&i));
                let (symbol, base) = target.zip(base).ok_or_else(|| format!("{name}: something outside is used"))?;
                if relocation.kind() != RelocationKind::Relative || relocation.size() != 32 {
                    return Err(format!("{name}: relocation {relocation:?}"));
                }
                let value = (base + symbol.address()).wrapping_add(relocation.addend() as u64).wrapping_sub(here + offset);
                bytes[offset as usize..offset as usize + 4].copy_from_slice(&(value as u32).to_le_bytes());
            }
            let to = if section.kind() == SectionKind::Text { &mut self.code } else { &mut self.constants };
            let name = format!("{name} {}", section.name().unwrap_or("?"));
            to.push(Section { name, address: here, data: bytes, align: section.align() });
        }
        for symbol in object.symbols().filter(|s| s.kind() == SymbolKind::Text && s.size() > 0) {
            let base = symbol.section_index().and_then(|i| at.get(&i)).ok_or("a function in no section")?;
            let function = Function { address: base + symbol.address(), size: symbol.size() };
            self.functions.insert(symbol.name().unwrap_or("?").into(), function);
        }
        Ok(())
    }

    pub fn function(&self, name: &str) -> Result<Function, String> {
        self.functions.get(name).copied().ok_or_else(|| format!("there is no function {name}"))
    }

    /// The instruction at that address, which has to be where a sweep over a function finds one, and to be of a form that is
    /// allowed.
    pub fn instruction(&self, ip: u64) -> Result<Instruction, String> {
        self.executed.borrow_mut().insert(ip);
        let i = self.decoded.get(&ip).ok_or_else(|| format!("{ip:x}: no instruction begins there"))?;
        let form = Form::of(i);
        if !self.allowed.contains(&form) {
            return Err(format!("{ip:x} {}: form not checked: {form}", self.text_of(i)));
        }
        Ok(*i)
    }

    /// All instructions of each form, which differ in their bytes
    pub fn forms(&self) -> BTreeMap<Form, Vec<Instruction>> {
        let mut forms: BTreeMap<Form, Vec<Instruction>> = BTreeMap::new();
        let mut seen = HashSet::new();
        for section in &self.code {
            let mut all: Vec<&Instruction> =
                self.decoded.values().filter(|i| section.address <= i.ip() && i.ip() < section.end()).collect();
            all.sort_by_key(|i| i.ip());
            for i in all {
                let at = (i.ip() - section.address) as usize;
                if seen.insert(&section.data[at..at + i.len()]) {
                    forms.entry(Form::of(i)).or_default().push(*i)
                }
            }
        }
        forms
    }

    /// The addresses that were executed since this was called last
    pub fn take_executed(&self) -> FxHashSet<u64> {
        self.executed.take()
    }

    /// What is in the image there
    pub fn bytes(&self, address: u64, len: usize) -> Option<&[u8]> {
        let section = self.code.iter().chain(&self.constants).find(|s| s.address <= address && address < s.end())?;
        section.data.get((address - section.address) as usize..)?.get(..len)
    }

    /// Those of a function in order
    pub fn instructions(&self, name: &str) -> Result<Vec<Instruction>, String> {
        let f = self.function(name)?;
        let mut all: Vec<Instruction> =
            self.decoded.values().filter(|i| f.address <= i.ip() && i.ip() < f.address + f.size).copied().collect();
        all.sort_by_key(|i| i.ip());
        Ok(all)
    }

    /// An address as a function and an offset in it
    pub fn place(&self, address: u64) -> String {
        match self.functions.iter().find(|(_, f)| f.address <= address && address < f.address + f.size) {
            Some((name, f)) => format!("{name}+{:#x}", address - f.address),
            None => format!("{address:#x}"),
        }
    }

    /// The same with a branch's target as an offset in that function
    pub fn text_in(&self, function: &str, i: &Instruction) -> String {
        let mut relative = *i;
        if i.op_count() == 1 && i.op0_kind() == OpKind::NearBranch64 {
            relative.set_near_branch64(i.near_branch_target().wrapping_sub(self.functions[function].address))
        }
        self.text_of(&relative)
    }

    pub fn text_of(&self, i: &Instruction) -> String {
        let mut text = String::new();
        GasFormatter::new().format(i, &mut text);
        text
    }
}

impl Section {
    pub fn end(&self) -> u64 {
        self.address + self.data.len() as u64
    }
}
