// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.servers;

import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Jetty, as a program that has it in itself sets it up. */
final class JettyServer implements Https.Server {
    private final Server server = new Server();
    private final ServerConnector connector;

    private static final class Pages extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.write(true, ByteBuffer.wrap(Https.page(Request.getPathInContext(request))), callback);
            return true;
        }
    }

    JettyServer(String keyStore, int port) throws Exception {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStorePath(keyStore);
        tls.setKeyStorePassword(Https.PASSWORD);
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.addCustomizer(new SecureRequestCustomizer());
        connector = new ServerConnector(server, new SslConnectionFactory(tls, "http/1.1"),
                                        new HttpConnectionFactory(configuration));
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(new Pages());
        server.start();
    }

    @Override
    public int port() {
        return connector.getLocalPort();
    }

    @Override
    public void stop() throws Exception {
        server.stop();
    }
}
