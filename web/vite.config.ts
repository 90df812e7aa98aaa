import { resolve } from 'node:path'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin, UserConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

import { commonPasswords } from '@stint/core/password-fault.ts'
import { LANGUAGES, translator } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

import { compiledTexts } from '../scripts/texts/compile.ts'
import { catalogueOf } from '../server/src/catalogues.ts'

import { cutHolidays } from './src/features/balance/cut-holidays.ts'
import { chunkList, CSS_TARGET, nameIn } from './build-targets.ts'
import { CHUNK_GROUPS, modulesAt } from './chunk-groups.ts'
import { manifestFor } from './manifest.ts'

/** The address of the API server during development. */
const API = process.env['STINT_API'] ?? 'http://127.0.0.1:3000'

/** The folder from which the app is served, '/' or '/stint/'. */
const BASE = process.env['STINT_BASE'] ?? '/'

/** The language during development. */
const LANGUAGE = LANGUAGES.find((each) => each === process.env['STINT_LANGUAGE']) ?? 'en'

export default defineConfig(appConfig(LANGUAGE))

/**
 * Builds the app in one language, which can be installed unless that is left out.
 * `scripts/web-build.ts` adds the prerendered pages.
 */
export function appConfig(language: Language, isInstallable = true): UserConfig {
  return {
    root: import.meta.dirname,
    base: BASE,
    plugins: [
      compiledTexts(language),
      react(),
      tailwindcss(),
      pageHead(language),
      appShell(),
      shortList(),
      publicHolidays(language),
      ...(isInstallable ? installable(language) : [workerComesLater()]),
    ],
    resolve: {
      alias: {
        'json-bigint': resolve(import.meta.dirname, 'src/backend/plain-json.ts'),
        // The rules of holidays need zones of these years only, which are a quarter of the library.
        'moment-timezone': 'moment-timezone/builds/moment-timezone-with-data-10-year-range.js',
      },
    },
    // The texts of an import are in its worker.
    worker: { format: 'es', plugins: () => [compiledTexts(language)] },
    server: { proxy: { '/v1': { target: API, ws: true }, '/docs': API, '/feed': API } },
    build: {
      target: 'es2023',
      cssTarget: CSS_TARGET,
      manifest: chunkList(language),
      // The files do not name their maps, which scripts/web-build.ts puts where nobody is served them.
      sourcemap: isInstallable ? 'hidden' : false,
      // The output folder already contains the prerendered pages.
      emptyOutDir: false,
      // The rules of public holidays, loaded to choose from.
      chunkSizeWarningLimit: 800,
      // Every supported browser has it.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: resolve(import.meta.dirname, 'app.html'),
        checks: { bundlerTimings: false },
        // Tailwind makes no map of the style sheet, and none is written.
        onwarn(warning, warn) {
          if (warning.code !== 'SOURCEMAP_BROKEN') warn(warning)
        },
        output: {
          // The production build, libraries included, writes nothing to the console, which must not show users' data.
          minify: { compress: { dropConsole: true } },
          codeSplitting: {
            groups: Object.entries(CHUNK_GROUPS).map(([name, paths]) => ({
              name,
              test: modulesAt(paths),
            })),
          },
        },
      },
    },
  }
}

/** Writes the language and the description into the shell, and requests the typeface with the style sheet. */
function pageHead(language: Language): Plugin {
  const { description = '' } = manifestOf(language)
  return {
    name: 'stint-page-head',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => file.includes('figtree-latin-wght'))
        const link = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true }
        return {
          html: html
            .replace('<html lang="en"', `<html lang="${language}"`)
            .replace(
              /(<meta name="description" content=")[^"]*/,
              (_, start: string) => start + description,
            ),
          tags: font ? [{ tag: 'link', attrs: { ...link, href: BASE + font } }] : [],
        }
      },
    },
  }
}

function manifestOf(language: Language) {
  return manifestFor(BASE, language, translator(language, catalogueOf(language)))
}

/** Marks the shell of a build without a service worker: its pages register the one of the complete build. */
function workerComesLater(): Plugin {
  return {
    name: 'stint-worker-comes-later',
    transformIndexHtml: () => [
      { tag: 'meta', attrs: { name: 'service-worker', content: 'later' } },
    ],
  }
}

/** In development, serves the app's shell for every URL of the app, as the server does. */
function appShell(): Plugin {
  return {
    name: 'stint-app-shell',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname
        const isPage = request.headers.accept?.includes('text/html') && !path.includes('.')
        if (isPage && !/^\/(v1|docs)\//.test(path)) request.url = '/app.html'
        next()
      })
    },
  }
}

/** Reduces the list of common passwords to those that the rules allow, sorted for compression: a third of it. */
function shortList(): Plugin {
  return {
    name: 'stint-short-list',
    enforce: 'pre',
    transform: {
      filter: { id: /\/language-common\/src\/passwords\.json$/ },
      handler(code) {
        const list: string[] = JSON.parse(code)
        return {
          code: JSON.stringify([...commonPasswords(list)].toSorted()),
          map: { mappings: '' },
        }
      },
    },
  }
}

/** Cuts the data of public holidays to what the build shows. */
function publicHolidays(language: Language): Plugin {
  return {
    name: 'stint-public-holidays',
    enforce: 'pre',
    transform: {
      filter: { id: /\/date-holidays\/src\/data\.js$/ },
      handler: (code) => ({ code: cutHolidays(code, language), map: { mappings: '' } }),
    },
  }
}

/**
 * The manifest and the service worker of a language. All workers have one scope and one cache, so that
 * the next one removes the files of the last. The worker serves this build's files and the app's shell, so that
 * the app starts offline; it does not handle /v1 and /docs. A new worker waits until the user reloads
 * (pwa/service-worker.ts).
 */
function installable(language: Language): Plugin[] {
  const isEnglish = language === 'en'
  return VitePWA({
    filename: nameIn(language, 'sw.js'),
    manifestFilename: nameIn(language, 'manifest.webmanifest'),
    registerType: 'prompt',
    injectRegister: false,
    manifest: manifestOf(language),
    workbox: {
      globPatterns: ['**/*.{html,js,css,svg,png,ico,woff2}'],
      // Choosing a password needs the network anyway.
      globIgnores: [
        'og.png',
        'screenshots/**',
        // The browser keeps what a worker imports with the worker.
        'notification-click.js',
        'timer-notification.js',
        'assets/password-check-*',
        // Loaded to choose from.
        'assets/public-holidays-*',
        // Loaded for the names that need it.
        'assets/figtree-latin-ext-*',
        // The worker finds a page by its path, in the folder of a language only the first one.
        ...(isEnglish ? [] : ['terms.html', 'privacy.html']),
      ],
      // The pages of the other languages are moved there after the build.
      modifyURLPrefix: isEnglish
        ? {}
        : { 'index.html': `${language}/index.html`, 'app.html': `${language}/app.html` },
      directoryIndex: isEnglish ? 'index.html' : `${language}/index.html`,
      dontCacheBustURLsMatching: /^assets\//,
      navigateFallback: isEnglish ? 'app.html' : `${language}/app.html`,
      // An address with a language is for the server, which chooses the page.
      navigateFallbackDenylist: [
        new RegExp(`^${BASE}(v1|docs)(/|$)`),
        // A file. A link that is shared is in the query.
        /^[^?]*\.[a-z0-9]+$/i,
        /[?&]language=/,
      ],
      inlineWorkboxRuntime: true,
      importScripts: ['notification-click.js', 'timer-notification.js'],
      cleanupOutdatedCaches: true,
      sourcemap: false,
    },
  })
}
