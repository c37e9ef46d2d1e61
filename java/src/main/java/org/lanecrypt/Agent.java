// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import java.security.ProviderException;
import java.security.Security;

/**
 * {@code -javaagent:lanecrypt.jar}: the provider comes first in the JVM's list before the program begins, whatever the program's
 * class path is.  The others stay as they are.
 *
 * <p>If the native library can't be used, the agent says so and why on the standard error output, and the program goes on with the
 * JDK's providers; with {@code -javaagent:lanecrypt.jar=required} it doesn't start.
 */
public final class Agent {
    private Agent() {
    }

    /**
     * What the JVM calls.
     *
     * @param argument empty, or {@code required}
     * @throws IllegalArgumentException if the argument is anything else
     * @throws ProviderException if the provider is required and can't be used
     */
    public static void premain(String argument) {
        boolean required = "required".equals(argument);
        if (!required && argument != null && !argument.isEmpty())
            throw new IllegalArgumentException("-javaagent: lanecrypt takes \"required\" or nothing, and not \"" + argument + "\"");
        String problem = LanecryptProvider.loadError() != null ? LanecryptProvider.loadError() : Library.problem();
        if (problem != null && required)
            throw new ProviderException("lanecrypt is required and can't be used: " + problem);
        if (problem != null)
            System.err.println("lanecrypt: not used by this JVM: " + problem);
        else if (Security.getProvider(LanecryptProvider.NAME) == null) // or else the list has it where the administrator wants it
            Security.insertProviderAt(new LanecryptProvider(), 1);
    }
}
