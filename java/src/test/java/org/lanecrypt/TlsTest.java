// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.Key;
import java.security.KeyStore;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.CipherSpi;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * TLS of the JDK (JSSE) between a client and a server that both take their ciphers from our provider. That it was ours is shown by
 * what stands after it in the list, in front of the JDK's own: a provider that has the same ciphers, all of them useless, and
 * counts how often one is asked to do anything.
 */
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path dir;
    private static KeyStore store;

    /** Ciphers that only count. */
    private static final class Decoy extends Provider {
        private static final long serialVersionUID = 1;
        final transient AtomicInteger asked = new AtomicInteger();

        Decoy() {
            super("Decoy", "1", "ciphers that only count");
            for (String name : new String[] { "AES/GCM/NoPadding", "ChaCha20-Poly1305" }) {
                putService(new Service(this, "Cipher", name, CipherSpi.class.getName(), null, null) {
                    @Override
                    public Object newInstance(Object parameter) {
                        return new DecoySpi(asked);
                    }
                });
            }
        }
    }

    private static final class DecoySpi extends CipherSpi {
        private final AtomicInteger asked;

        DecoySpi(AtomicInteger asked) {
            this.asked = asked;
        }

        private IllegalStateException used() {
            asked.incrementAndGet();
            return new IllegalStateException("a cipher was taken from the decoy");
        }

        @Override
        protected void engineSetMode(String mode) {
        }

        @Override
        protected void engineSetPadding(String padding) {
        }

        @Override
        protected int engineGetBlockSize() {
            throw used();
        }

        @Override
        protected int engineGetOutputSize(int length) {
            throw used();
        }

        @Override
        protected byte[] engineGetIV() {
            throw used();
        }

        @Override
        protected AlgorithmParameters engineGetParameters() {
            throw used();
        }

        @Override
        protected void engineInit(int opmode, Key key, SecureRandom random) {
            throw used();
        }

        @Override
        protected void engineInit(int opmode, Key key, AlgorithmParameterSpec spec, SecureRandom random) {
            throw used();
        }

        @Override
        protected void engineInit(int opmode, Key key, AlgorithmParameters parameters, SecureRandom random) {
            throw used();
        }

        @Override
        protected byte[] engineUpdate(byte[] in, int offset, int length) {
            throw used();
        }

        @Override
        protected int engineUpdate(byte[] in, int offset, int length, byte[] out, int outOffset) {
            throw used();
        }

        @Override
        protected byte[] engineDoFinal(byte[] in, int offset, int length) {
            throw used();
        }

        @Override
        protected int engineDoFinal(byte[] in, int offset, int length, byte[] out, int outOffset) {
            throw used();
        }
    }

    private final Decoy decoy = new Decoy();

    @BeforeAll
    static void makeCertificate() throws Exception {
        Path file = dir.resolve("server.p12");
        Process p = new ProcessBuilder(System.getProperty("java.home") + "/bin/keytool", "-genkeypair", "-alias", "server",
                                       "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost", "-ext",
                                       "san=dns:localhost", "-validity", "2", "-storetype", "PKCS12", "-keystore", file.toString(),
                                       "-storepass", new String(PASSWORD)).redirectErrorStream(true).start();
        String output = new String(p.getInputStream().readAllBytes());
        assertEquals(0, p.waitFor(), output);
        store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
    }

    private void install(Provider... first) {
        for (int i = 0; i < first.length; i++)
            assertEquals(i + 1, Security.insertProviderAt(first[i], i + 1));
    }

    @AfterEach
    void uninstall() {
        Security.removeProvider(Mode.PROVIDER.getName());
        Security.removeProvider(decoy.getName());
    }

    private static SSLContext context() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, PASSWORD);
        KeyStore roots = KeyStore.getInstance("PKCS12");
        roots.load(null, null);
        roots.setCertificateEntry("server", store.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(roots);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** One end of a connection in memory. */
    private static final class End {
        final SSLEngine engine;
        final ByteBuffer toSend;
        final ByteArrayOutputStream received = new ByteArrayOutputStream();
        ByteBuffer incoming; // records that the other end has made
        private final boolean direct;

        End(SSLEngine engine, byte[] text, boolean direct) {
            this.engine = engine;
            this.direct = direct;
            toSend = allocate(text.length).put(text).flip();
            incoming = allocate(engine.getSession().getPacketBufferSize()).limit(0);
        }

        private ByteBuffer allocate(int size) {
            return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
        }

        /** Take what there is to take and send one record; false if there was neither. */
        boolean step(End other) throws IOException {
            for (Runnable task; (task = engine.getDelegatedTask()) != null; )
                task.run();
            boolean moved = false;
            HandshakeStatus status = engine.getHandshakeStatus();
            if (incoming.hasRemaining() && status != HandshakeStatus.NEED_WRAP) {
                ByteBuffer plain = allocate(engine.getSession().getApplicationBufferSize());
                SSLEngineResult r = engine.unwrap(incoming, plain);
                assertEquals(SSLEngineResult.Status.OK, r.getStatus());
                received.write(Calls.contents(plain), 0, plain.position());
                moved = r.bytesConsumed() > 0;
            }
            status = engine.getHandshakeStatus();
            boolean handshake = status == HandshakeStatus.NEED_WRAP;
            if (!other.incoming.hasRemaining()
                && (handshake || status == HandshakeStatus.NOT_HANDSHAKING && toSend.hasRemaining())) {
                other.incoming = allocate(engine.getSession().getPacketBufferSize());
                SSLEngineResult r = engine.wrap(toSend, other.incoming);
                assertEquals(SSLEngineResult.Status.OK, r.getStatus());
                other.incoming.flip();
                moved |= r.bytesProduced() > 0;
            }
            return moved || engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
        }
    }

    @ParameterizedTest
    @CsvSource({ "TLSv1.3, TLS_AES_128_GCM_SHA256", "TLSv1.3, TLS_AES_256_GCM_SHA384", "TLSv1.3, TLS_CHACHA20_POLY1305_SHA256",
                 "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                 "TLSv1.2, TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256" })
    void throughEngines(String protocol, String suite) throws Exception {
        install(Mode.PROVIDER, decoy);
        for (boolean direct : new boolean[] { false, true }) {
            SSLContext context = context();
            SSLEngine[] engines = new SSLEngine[2];
            End[] ends = new End[2];
            byte[][] texts = new byte[2][];
            Random random = new Random(8);
            for (int i = 0; i < 2; i++) {
                engines[i] = context.createSSLEngine("localhost", 443);
                engines[i].setUseClientMode(i == 0);
                engines[i].setEnabledProtocols(new String[] { protocol });
                engines[i].setEnabledCipherSuites(new String[] { suite });
                texts[i] = Mode.bytes(random, 300_000 + i);
                ends[i] = new End(engines[i], texts[i], direct);
            }
            engines[0].beginHandshake();
            engines[1].beginHandshake();
            while (ends[0].step(ends[1]) | ends[1].step(ends[0]))
                continue;
            assertEquals(suite, engines[0].getSession().getCipherSuite());
            assertEquals(protocol, engines[1].getSession().getProtocol());
            assertArrayEquals(texts[0], ends[1].received.toByteArray(), "what the client sent");
            assertArrayEquals(texts[1], ends[0].received.toByteArray(), "what the server sent");

            // a record changed on its way
            ends[0].toSend.clear();
            ends[0].step(ends[1]);
            ByteBuffer record = ends[1].incoming;
            record.put(record.limit() - 1, (byte) (record.get(record.limit() - 1) ^ 1));
            assertThrows(SSLException.class, () -> ends[1].step(ends[0]));
        }
        assertEquals(0, decoy.asked.get(), "times that a cipher was not ours");
    }

    @ParameterizedTest
    @CsvSource({ "TLSv1.3", "TLSv1.2" })
    @Timeout(120)
    void throughSockets(String protocol) throws Exception {
        install(Mode.PROVIDER, decoy);
        SSLContext context = context();
        byte[] text = Mode.bytes(new Random(9), 1_000_000);
        ExecutorService pool = Executors.newFixedThreadPool(2); // the common one may have a single thread
        try (SSLServerSocket listening = (SSLServerSocket) context.getServerSocketFactory()
                 .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (int connection = 0; connection < 2; connection++) { // the second resumes the first's session
                Future<?> server = pool.submit(() -> {
                    try (SSLSocket s = (SSLSocket) listening.accept(); OutputStream out = s.getOutputStream()) {
                        out.write(s.getInputStream().readNBytes(text.length));
                    }
                    return null;
                });
                try (SSLSocket s = (SSLSocket) context.getSocketFactory()
                         .createSocket(InetAddress.getLoopbackAddress(), listening.getLocalPort())) {
                    s.setEnabledProtocols(new String[] { protocol });
                    Future<?> sent = pool.submit(() -> {
                        s.getOutputStream().write(text);
                        return null;
                    });
                    assertTrue(Arrays.equals(text, s.getInputStream().readNBytes(text.length)), "the echo differs");
                    sent.get(60, TimeUnit.SECONDS);
                }
                server.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        assertEquals(0, decoy.asked.get(), "times that a cipher was not ours");
    }

    /** The proof's own proof: without ours in front, the decoy is asked. */
    @Test
    void theDecoyCounts() throws Exception {
        install(decoy);
        SSLContext context = context();
        End[] ends = new End[2];
        for (int i = 0; i < 2; i++) {
            SSLEngine engine = context.createSSLEngine("localhost", 443);
            engine.setUseClientMode(i == 0);
            ends[i] = new End(engine, new byte[10], false);
            engine.beginHandshake();
        }
        while (ends[0].step(ends[1]) | ends[1].step(ends[0]))
            continue;
        assertTrue(decoy.asked.get() > 0);
    }
}
