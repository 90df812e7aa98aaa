import { resolve } from 'node:path'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

/** Where the API listens while developing. */
const API = process.env['STINT_API'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  base: process.env['STINT_BASE'] ?? '/',
  plugins: [react(), tailwindcss(), appShell()],
  server: { proxy: { '/v1': { target: API, ws: true } } },
  build: {
    target: 'es2023',
    manifest: true,
    rolldownOptions: {
      input: {
        index: resolve(import.meta.dirname, 'index.html'),
        app: resolve(import.meta.dirname, 'app.html'),
      },
      output: {
        // Spec 8: the production build is silent on the console, libraries included.
        minify: { compress: { dropConsole: true } },
      },
    },
  },
})

/** While developing, every address of the app is served by its shell, as the server does. */
function appShell(): Plugin {
  return {
    name: 'stint-app-shell',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname
        const isPage = request.headers.accept?.includes('text/html') && !path.includes('.')
        if (isPage && path !== '/' && !path.startsWith('/v1')) request.url = '/app.html'
        next()
      })
    },
  }
}
