// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
package org.lanecrypt.servers;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.net.InetSocketAddress;
import javax.net.ssl.KeyManagerFactory;

/** Netty with the JDK's TLS; with OpenSSL's, if netty-tcnative were there and SslProvider.OPENSSL, JCA wouldn't be asked. */
final class NettyServer implements Https.Server {
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final Channel channel;

    private static final class Pages extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            byte[] page = Https.page(request.uri());
            FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                                                                    Unpooled.wrappedBuffer(page));
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, page.length);
            boolean goesOn = HttpUtil.isKeepAlive(request);
            HttpUtil.setKeepAlive(response, goesOn);
            context.writeAndFlush(response).addListener(goesOn ? f -> { } : ChannelFutureListener.CLOSE);
        }
    }

    NettyServer(String keyStore, int port) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(Https.load(keyStore), Https.PASSWORD.toCharArray());
        SslContext tls = SslContextBuilder.forServer(keys).sslProvider(SslProvider.JDK).build();
        channel = new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel c) {
                        c.pipeline().addLast(tls.newHandler(c.alloc()), new HttpServerCodec(), new HttpObjectAggregator(65536),
                                             new Pages());
                    }
                }).bind(port).sync().channel();
    }

    @Override
    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @Override
    public void stop() throws Exception {
        channel.close().sync();
        group.shutdownGracefully().sync();
    }
}
