// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.servers;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/** Tomcat, as a program that has it in itself sets it up. */
final class TomcatServer implements Https.Server {
    private final Tomcat tomcat = new Tomcat();

    private static final class Pages extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            byte[] page = Https.page(request.getRequestURI());
            response.setContentLength(page.length);
            response.getOutputStream().write(page);
        }
    }

    TomcatServer(String keyStore, int port) throws Exception {
        Connector connector = new Connector("org.apache.coyote.http11.Http11NioProtocol");
        connector.setPort(port);
        connector.setThrowOnFailure(true);
        connector.setSecure(true);
        connector.setProperty("SSLEnabled", "true");
        connector.setProperty("maxKeepAliveRequests", "-1");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.EC);
        certificate.setCertificateKeystoreFile(keyStore);
        certificate.setCertificateKeystorePassword(Https.PASSWORD);
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
        String base = Path.of(keyStore).getParent().toString();
        tomcat.setBaseDir(base);
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", base);
        Tomcat.addServlet(context, "pages", new Pages());
        context.addServletMappingDecoded("/*", "pages");
        tomcat.start();
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void stop() throws Exception {
        tomcat.stop();
    }
}
