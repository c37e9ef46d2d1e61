// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * {@code Https SERVER KEYSTORE}: an HTTPS server with a short and a long page, and a client that reads them many times.
 * {@code Https SERVER KEYSTORE PORT}: only the server, until it's ended.  SERVER is jetty, tomcat or netty; the keystore's password
 * is "changeit".  Nobody here names a provider.
 */
public final class Https {
    static final String PASSWORD = "changeit";
    static final byte[] SHORT = page(100);
    static final byte[] LONG = page(1_000_000);
    private static final int ROUNDS = 20;

    /** A server that listens. */
    interface Server {
        int port();

        void stop() throws Exception;
    }

    private Https() {
    }

    private static byte[] page(int length) {
        byte[] page = new byte[length];
        new Random(length).nextBytes(page);
        return page;
    }

    /** What is at a path, which may have a query after it. */
    static byte[] page(String path) {
        return path.startsWith("/long") ? LONG : SHORT;
    }

    static KeyStore load(String file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    private static Server start(String name, String keyStore, int port) throws Exception {
        return switch (name) {
            case "jetty" -> new JettyServer(keyStore, port);
            case "netty" -> new NettyServer(keyStore, port);
            case "tomcat" -> new TomcatServer(keyStore, port);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static void read(SSLContext context, int port, String path) throws Exception {
        HttpsURLConnection c = (HttpsURLConnection) URI.create("https://localhost:" + port + path).toURL().openConnection();
        c.setSSLSocketFactory(context.getSocketFactory());
        c.setReadTimeout(60_000);
        try (InputStream in = c.getInputStream()) {
            if (!Arrays.equals(in.readAllBytes(), page(path)))
                throw new IOException(path + " isn't what the server has");
        }
    }

    public static void main(String[] arguments) {
        try {
            run(arguments);
            System.exit(0); // whatever threads a server has left
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void run(String[] arguments) throws Exception {
        Server server = start(arguments[0], arguments[1], arguments.length > 2 ? Integer.parseInt(arguments[2]) : 0);
        if (arguments.length > 2) {
            Thread.currentThread().join();
            return;
        }
        KeyStore store = load(arguments[1]);
        KeyStore roots = KeyStore.getInstance("PKCS12");
        roots.load(null, null);
        roots.setCertificateEntry("server", store.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(roots);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        for (int i = 0; i < ROUNDS; i++) {
            read(context, server.port(), "/short");
            read(context, server.port(), "/long");
        }
        server.stop();
        System.out.println("read: " + ROUNDS + " times both pages");
    }
}
