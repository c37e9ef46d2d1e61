#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""
check_central.py BUNDLE.zip: does the bundle keep Maven Central's rules, and does it have in it what it says?  No network is asked.
`--release` refuses `.invalid` addresses too, which stand where a person has to give real ones.

--make DIR BUNDLE.zip puts what Maven has left in DIR (central.sh) into a bundle, with checksums.
--broken BUNDLE.zip: the check of the check: breaks a good bundle in many ways, one at a time, and each has to be refused.
"""
import argparse
import hashlib
import io
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from xml.etree import ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
NS = {"m": "http://maven.apache.org/POM/4.0.0"}
GROUP, ARTIFACT = "org.lanecrypt", "lanecrypt"
SUMS = {"md5": hashlib.md5, "sha1": hashlib.sha1, "sha256": hashlib.sha256, "sha512": hashlib.sha512}
ELF_MACHINES = {"linux-x86_64": 62, "linux-aarch64": 183}


def version_of_tree():
    with open(os.path.join(HERE, "../include/lanecrypt/lanecrypt.h")) as header:
        return ".".join(re.findall(r"^#define LANECRYPT_VERSION_[A-Z]+ (\d+)$", header.read(), re.M))


def artifacts(version):
    base = f"{ARTIFACT}-{version}"
    return [f"{base}.pom", f"{base}.jar", f"{base}-sources.jar", f"{base}-javadoc.jar"]


def folder(version):
    return f"{GROUP.replace('.', '/')}/{ARTIFACT}/{version}/"


def write(bundle, files):
    """The same files give the same archive."""
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name])


def make(directory, bundle):
    version = version_of_tree()
    files = {}
    for name in artifacts(version):
        path = os.path.join(HERE, "pom.xml") if name.endswith(".pom") else os.path.join(directory, name)
        with open(path, "rb") as file:
            content = files[folder(version) + name] = file.read()
        with open(os.path.join(directory, name + ".asc"), "rb") as file:
            files[folder(version) + name + ".asc"] = file.read()
        for kind, function in SUMS.items():
            files[f"{folder(version)}{name}.{kind}"] = function(content).hexdigest().encode()
    write(bundle, files)


def check_pom(content, version, release):
    root = ElementTree.fromstring(content)

    def text(path, where=root):
        return (where.findtext(path, "", NS) or "").strip()

    for path, wanted in ("modelVersion", "4.0.0"), ("groupId", GROUP), ("artifactId", ARTIFACT), ("version", version):
        if text("m:" + path) != wanted:
            yield f"the pom's {path} is \"{text('m:' + path)}\", not {wanted}"
    if version.endswith("-SNAPSHOT"):
        yield f"{version} isn't a release"
    for path in "name", "description", "url", "scm/m:url", "scm/m:connection", "scm/m:developerConnection":
        if not text("m:" + path):
            yield f"the pom has no {path.replace('m:', '')}"
    for each, needs in ("licenses/m:license", ("name", "url")), ("developers/m:developer", ("name", "email")):
        found = root.findall("m:" + each, NS)
        if not found:
            yield f"the pom has no {each.split(':')[-1]}"
        for element in found:
            for child in needs:
                if not text("m:" + child, element):
                    yield f"a {each.split(':')[-1]} of the pom has no {child}"
    for path in "repositories", "pluginRepositories", "distributionManagement", "parent":
        if root.find("m:" + path, NS) is not None:
            yield f"the pom has {path}"
    for dependency in root.findall(".//m:dependencies/m:dependency", NS):
        if text("m:scope", dependency) != "test":
            yield f"the jar is to depend on nothing, and depends on {text('m:artifactId', dependency)}"
    without_profiles = re.sub(rb"<profiles>.*</profiles>", b"", content, flags=re.S)
    if b"${" in re.sub(rb"<(build|properties)>.*?</\1>|\$\{project\.version\}", b"", without_profiles, flags=re.S):
        yield "the pom's description of itself depends on properties"
    if release and b".invalid" in content:
        yield "the pom has .invalid addresses"


def check_jars(files, version):
    base = f"{ARTIFACT}-{version}"
    archives = {}
    for name in artifacts(version)[1:]:
        archives[name] = zipfile.ZipFile(io.BytesIO(files[name]))
        if archives[name].testzip():
            yield f"{name} is damaged"
            return
    jar, sources, javadoc = archives.values()
    names = set(jar.namelist())
    for needed in "META-INF/LICENSE", "META-INF/LICENSES/BSD-2-Clause.txt", "META-INF/LICENSES/GPL-2.0-only.txt", \
                  "META-INF/services/java.security.Provider":
        if needed not in names:
            yield f"the jar has no {needed}"
    manifest = jar.read("META-INF/MANIFEST.MF").decode()
    for entry in f"Implementation-Version: {version}", "Main-Class: org.lanecrypt.Main", "Premain-Class: org.lanecrypt.Agent", \
                 "Automatic-Module-Name: org.lanecrypt":
        if f"\n{entry}\r\n" not in manifest:
            yield f"the jar's manifest has no \"{entry}\""
    for platform, machine in ELF_MACHINES.items():
        library = f"org/lanecrypt/{platform}/liblanecrypt_jni.so"
        head = jar.read(library)[:20] if library in names else b""
        if head[:4] != b"\x7fELF" or int.from_bytes(head[18:20], "little") != machine:
            yield f"the jar has no library for {platform}"
        elif version.encode() + b"\0" not in jar.read(library):
            yield f"the jar's library for {platform} is of another version"
    classes = {n[:-6] for n in names if n.endswith(".class") and "$" not in n}
    if not classes:
        yield "the jar has no classes"
    missing = {c + ".java" for c in classes} - set(sources.namelist())
    if missing or any(n.endswith((".class", ".so")) for n in sources.namelist()):
        yield f"{base}-sources.jar lacks sources or has more than these: {sorted(missing)}"
    public = {c + ".html" for c in classes
              if re.search(rb"^public ", sources.read(c + ".java") if c + ".java" in sources.namelist() else b"", re.M)}
    pages = {n.removeprefix(f"{GROUP}/") for n in javadoc.namelist()}  # the module's name comes first
    missing = ({"index.html"} | public) - pages
    if missing or not public:
        yield f"{base}-javadoc.jar lacks {sorted(missing)}"


def check_signature(name, content, signature):
    with tempfile.TemporaryDirectory() as place:
        paths = [os.path.join(place, n) for n in ("signature", "file")]
        for path, what in zip(paths, (signature, content)):
            with open(path, "wb") as file:
                file.write(what)
        gpg = subprocess.run(["gpg", "--batch", "--verify", *paths], capture_output=True, check=False)
        if gpg.returncode:
            yield f"{name}.asc is no signature of it by a key that gpg knows"


def check(bundle, release=False, signatures=True):
    """What is wrong with the bundle, in sentences."""
    version = version_of_tree()
    with zipfile.ZipFile(bundle) as archive:
        if len(set(archive.namelist())) != len(archive.namelist()):
            yield "a name occurs twice"
        files = {n.removeprefix(folder(version)): archive.read(n) for n in archive.namelist()}
    expected = {a + end for a in artifacts(version) for end in ["", ".asc", *("." + kind for kind in SUMS)]}
    if set(files) != expected:
        yield f"missing or too much: {sorted(set(files) ^ expected)}"
        return
    for name in artifacts(version):
        for kind, function in SUMS.items():
            if files[f"{name}.{kind}"].decode(errors="replace") != function(files[name]).hexdigest():
                yield f"{name}.{kind} isn't its sum"
        if signatures:
            yield from check_signature(name, files[name], files[name + ".asc"])
    yield from check_pom(files[artifacts(version)[0]], version, release)
    yield from check_jars(files, version)


def without(archive, *names, but=None):
    """The archive without some files, or with others in their place."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            if name not in names:
                new.writestr(name, old.read(name))
            elif but is not None:
                new.writestr(name, but(old.read(name)))
    return out.getvalue()


def broken_bundles(files, version):
    """Each way to break it: what, the files, and whether signatures have to be looked at to see it."""
    place, base = folder(version), f"{ARTIFACT}-{version}"
    pom, jar, sources, javadoc = (place + a for a in artifacts(version))

    def resummed(changed):
        for name in (pom, jar, sources, javadoc):
            for kind, function in SUMS.items():
                changed[f"{name}.{kind}"] = function(changed[name]).hexdigest().encode()
        return changed

    for name in files:
        yield f"without {name}", {n: c for n, c in files.items() if n != name}, False
        if not name.endswith((".pom", ".jar", ".asc")):
            yield f"another sum in {name}", {**files, name: files[name][::-1]}, False
    for name in (pom, jar, sources, javadoc):
        yield f"the signature of {name} is another's", {**files, name + ".asc": files[(jar if name == pom else pom) + ".asc"]}, True
    yield "a file too many", {**files, place + "maven-metadata.xml": b"<metadata/>"}, False
    yield "another folder", {n.replace(version + "/", "9.9.9/"): c for n, c in files.items()}, False
    text = files[pom].decode()
    for element in ("name", "description", "url", "licenses", "developers", "scm", "version", "groupId", "artifactId", "license",
                    "developer", "email", "connection", "developerConnection"):
        for indent in r"\n  ", r"\n    ", r"\n      ":
            changed = re.sub(indent + rf"<{element}>.*?</{element}>", "", text, count=1, flags=re.S)
            if changed != text and element == "license":
                changed = re.sub(indent + r"<license>.*?</license>", "", changed, count=1, flags=re.S)
            if changed != text:
                yield f"a pom without {element}", resummed({**files, pom: changed.encode()}), False
                break
        else:
            sys.exit(f"check_central.py: the pom has no {element} to take away")
    for old, new in (("<scope>test</scope>", "<scope>compile</scope>"), (f"<version>{version}<", f"<version>{version}-SNAPSHOT<"),
                     ("</scm>", "</scm><repositories/>"), ("<name>lanecrypt<", "<name>${project.artifactId}<")):
        yield f"a pom with {new}", resummed({**files, pom: text.replace(old, new, 1).encode()}), False
    with zipfile.ZipFile(io.BytesIO(files[jar])) as archive:
        names = archive.namelist()
    for name in names:
        if name.endswith(("LICENSE", ".txt", ".so", ".Provider")):
            yield f"a jar without {name}", resummed({**files, jar: without(files[jar], name)}), False
        if name.endswith(".so"):
            yield f"a jar with a text as {name}", resummed({**files, jar: without(files[jar], name, but=lambda c: b"text")}), False
            yield f"a jar with another version of {name}", resummed(
                {**files, jar: without(files[jar], name, but=lambda c: c.replace(version.encode() + b"\0", b"9.9.9\0"))}), False
    for entry in "Main-Class", "Premain-Class", "Implementation-Version", "Automatic-Module-Name":
        yield f"a manifest without {entry}", resummed(
            {**files, jar: without(files[jar], "META-INF/MANIFEST.MF",
                                   but=lambda c, e=entry: c.replace(e.encode(), b"X-" + e.encode()))}), False
    yield "sources without one", resummed({**files, sources: without(files[sources], "org/lanecrypt/Aead.java")}), False
    yield "classes as sources", resummed({**files, sources: files[jar]}), False
    yield "javadoc without a class", resummed(
        {**files, javadoc: without(files[javadoc], f"{GROUP}/org/lanecrypt/Aead.html")}), False
    yield "sources as javadoc", resummed({**files, javadoc: files[sources]}), False
    yield "an empty " + base, resummed({**files, jar: without(files[jar], *(n for n in names if n.endswith(".class")))}), False


def check_broken(bundle):
    with zipfile.ZipFile(bundle) as archive:
        files = {n: archive.read(n) for n in archive.namelist()}
    tried, missed = 0, []
    with tempfile.TemporaryDirectory() as place:
        broken = os.path.join(place, "broken.zip")
        for what, changed, signatures in broken_bundles(files, version_of_tree()):
            tried += 1
            write(broken, changed)
            if not list(check(broken, signatures=signatures)):
                missed.append(what)
    pom = files[folder(version_of_tree()) + artifacts(version_of_tree())[0]]
    if b".invalid" in pom and not list(check(bundle, release=True)):
        missed.append("--release with .invalid addresses")
    for what in missed:
        print(f"check_central.py: not noticed: {what}", file=sys.stderr)
    print(f"check_central.py: {tried} broken bundles, {len(missed)} of them not noticed")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--make", metavar="DIR")
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("--release", action="store_true")
    parser.add_argument("bundle")
    arguments = parser.parse_args()
    if arguments.make:
        make(arguments.make, arguments.bundle)
        return 0
    if arguments.broken:
        return check_broken(arguments.bundle)
    problems = list(check(arguments.bundle, arguments.release))
    for problem in problems:
        print(f"check_central.py: {problem}", file=sys.stderr)
    if not problems:
        print(f"{os.path.relpath(arguments.bundle)}: as Maven Central wants it")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
