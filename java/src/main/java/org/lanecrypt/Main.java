// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Security;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;

/** {@code java -jar lanecrypt.jar}: what this JVM and this CPU make of the provider, and whose ciphers programs get. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        LanecryptProvider provider = new LanecryptProvider();
        System.out.println("lanecrypt " + provider.getVersionStr() + ", Java " + System.getProperty("java.version") + ", "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        if (LanecryptProvider.loadError() != null) {
            System.out.println("native library: not loaded: " + LanecryptProvider.loadError());
            System.exit(1);
        }
        System.out.println("native library: loaded from " + Library.source());
        if (Library.problem() != null) {
            System.out.println("no key can be used: " + Library.problem());
            System.exit(1);
        }
        System.out.println("implementations:");
        for (String line : Library.implementations())
            System.out.println("  " + line);
        System.out.println("position in this JVM's list of providers: " + position());
        System.out.println("services, and whom a program gets that names no provider:");
        provider.getServices().stream().map(s -> "  " + s.getType() + " " + s.getAlgorithm() + ": " + whose(s)).sorted()
                .forEach(System.out::println);
    }

    private static String whose(Provider.Service service) {
        String name = service.getAlgorithm();
        try {
            return (switch (service.getType()) {
                case "Cipher" -> Cipher.getInstance(name).getProvider();
                case "KeyGenerator" -> KeyGenerator.getInstance(name).getProvider();
                default -> AlgorithmParameters.getInstance(name).getProvider();
            }).getName();
        } catch (GeneralSecurityException e) {
            return "none";
        }
    }

    private static String position() {
        Provider[] all = Security.getProviders();
        for (int i = 0; i < all.length; i++)
            if (all[i].getName().equals(LanecryptProvider.NAME))
                return i + 1 + " of " + all.length + (i == 0 ? "" : " (Java takes a cipher from the first provider that has it)");
        return "none: it is used only where a program names it";
    }
}
