# The image of Stint. Every step is a script of deploy/image, which `npm run image` also runs where
# there is no builder (docs/decisions/0045-image-and-node.md).

# Runs npm; its own Node does nothing else.
ARG BUILD_BASE=node:22-bookworm-slim
ARG BASE=debian:bookworm-slim

# On the machine that builds, whatever the image is for: nothing in it has to be compiled.
FROM --platform=$BUILDPLATFORM ${BUILD_BASE} AS build
WORKDIR /src
COPY deploy/image deploy/image
RUN sh deploy/image/system.sh libatomic1 binutils-x86-64-linux-gnu binutils-aarch64-linux-gnu
COPY package.json package-lock.json .npmrc ./
COPY core/package.json core/
COPY server/package.json server/
COPY web/package.json web/
COPY testing/package.json testing/
COPY cli/package.json cli/
COPY extension/package.json extension/
RUN --mount=type=secret,id=npmrc --mount=type=secret,id=ca --mount=type=cache,target=/root/.npm sh deploy/image/packages.sh
COPY . .
RUN sh deploy/image/web.sh
ARG TARGETARCH
RUN --mount=type=secret,id=npmrc --mount=type=secret,id=ca --mount=type=cache,target=/root/.npm sh deploy/image/assemble.sh /stint $TARGETARCH

FROM ${BASE}
LABEL org.opencontainers.image.title="Stint" \
  org.opencontainers.image.description="A time tracker: create a task, press Start, see where the time went." \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="1.0.0"
RUN --mount=type=bind,source=deploy/image,target=/mnt sh /mnt/runtime.sh
WORKDIR /stint
COPY --from=build /stint ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/stint/bin:/usr/local/bin:/usr/bin:/bin
# stint, by its number, so that an orchestrator can see that it is not root.
USER 1000:1000
# With /tmp, all that is written. The rest may be read-only.
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["/stint/bin/health"]
# Not through npm: the server itself must hear the signal to stop.
CMD ["/stint/bin/start"]
