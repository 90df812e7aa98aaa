# Builds the web app and runs the server. npm brings the pinned Node along (see package.json), so
# the image's own Node only has to run npm.
FROM node:22-bookworm-slim AS build
WORKDIR /stint
COPY package.json package-lock.json .npmrc ./
COPY core/package.json core/
COPY server/package.json server/
COPY web/package.json web/
COPY testing/package.json testing/
RUN npm install
COPY . .
RUN npm run build

FROM node:22-bookworm-slim
WORKDIR /stint
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /stint/package.json /stint/package-lock.json /stint/.npmrc ./
COPY --from=build /stint/core/package.json core/
COPY --from=build /stint/server/package.json server/
COPY --from=build /stint/web/package.json web/
RUN npm install --omit=dev --workspace server --include-workspace-root \
  && mkdir -p /data node_modules/.cache && chown node:node /data node_modules/.cache
COPY --from=build /stint/core/src core/src
COPY --from=build /stint/locales locales
COPY --from=build /stint/server/src server/src
COPY --from=build /stint/web/dist web/dist
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/v1/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Not through npm: the server itself must hear the signal to stop.
# As `npm start` does it (docs/decisions/0049-node-options-that-save-memory.md).
CMD ["node_modules/.bin/node", "--max-semi-space-size=8", "--import", "./server/src/compile-cache.js", "server/src/main.ts"]
