# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
"""Conan's recipe for the library: `conan create .` in a checkout; docs/library.md."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm, rmdir


class Lanecrypt(ConanFile):
    name = "lanecrypt"
    description = "SIMD ciphers, hashes and public keys"
    license = "BSD-2-Clause OR GPL-2.0-only"
    topics = ("cryptography", "simd", "aes", "chacha20", "ecdsa", "rsa")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}  # both are made in any case, and position-independent
    default_options = {"shared": False}
    exports_sources = ("CMakeLists.txt", "LICENSE", "LICENSES/*", "cmake/*", "cli/lanecrypt.1", "include/*", "scripts/man3.py",
                       "src/*")

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include/lanecrypt/lanecrypt.h"))
        self.version = ".".join(re.search(rf"VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))

    def configure(self):
        for setting in "compiler.cppstd", "compiler.libcxx":  # it is C
            self.settings.rm_safe(setting)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in "CLI", "OPENSSL", "TESTS":
            toolchain.cache_variables[f"LANECRYPT_{part}"] = "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE*", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rm(self, "*.a" if self.options.shared else "*.so*", os.path.join(self.package_folder, "lib"))
        for folder in "lib/cmake", "lib/pkgconfig":  # Conan makes its own
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.libs = ["lanecrypt"]
        self.cpp_info.set_property("cmake_target_name", f"lanecrypt::lanecrypt_{'shared' if self.options.shared else 'static'}")
