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

import { chunkList, CSS_TARGET, nameIn } from './build-targets.ts'
import { manifestFor } from './manifest.ts'

/** The address of the API server during development. */
const API = process.env['STINT_API'] ?? 'http://127.0.0.1:3000'

/** The folder from which the app is served, '/' or '/stint/'. */
const BASE = process.env['STINT_BASE'] ?? '/'

/** The language during development. */
const LANGUAGE = LANGUAGES.find((each) => each === process.env['STINT_LANGUAGE']) ?? 'en'

/** The modules of every first screen, signed in or not. */
const CONTROLS =
  /web\/src\/(ui\/(banner|button|checkbox|class-names|field|form|icon|icon-button|mark|rich-text|spinner|text-field)|app\/(app|router|screen|error-boundary|error-page|guards|leave-app|waiting)|session\/(session|start-session|device-db|device-label|locks|failure)|features\/auth\/(api|mail-link)|pwa\/install-offer|session\/current-session|record\/create-store|backend\/(errors|config))\.tsx?$|lucide-react\/dist\/esm\/(?!icons)|icons\/(x|circle-exclamation-point|check|info)\.mjs$|preload-helper|node_modules\/idb|core\/src\/(text|grouped)\.ts$/

/** The modules of every signed-in screen. */
const EVERYDAY =
  /web\/src\/(diagnostics\/[\w-]+|record\/(?!create-store|migration|put-aside|take-in|timer-answers|awake|questions|steps|change|overlaps|continuation)[\w-]+|session\/(signed-in|open-user)|sync\/status|app\/(signed-in|layout|load-companions|scroll-restoration)|routes\/dashboard|features\/timer\/(timer-panel|quick-start|timer-bar|sync-chip|timer-signs)|features\/settings\/(settings-provider|theme)|features\/(tasks|entries|settings|keyboard|focus)\/api|features\/timer\/(api\/[\w-]+|use-session-error|use-has-questions|clock|timer-buttons|timer-words|page-title)|features\/auth\/sign-out|ui\/(toast|later|badge|row|name|skeleton|error-panel|empty-state|page-header|stat-card))\.tsx?$|icons\/(settings|search|cloud-off|plus|download|picture-in-picture-2)\.mjs$/

/** Shared by the sign-in, the sign-up and the account settings. */
const PASSWORD = /web\/src\/ui\/password-field|icons\/eye(-off)?\.mjs$/

/** Choosing a password; shared by the sign-up, the recovery and the account settings. */
const NEW_PASSWORD =
  /web\/src\/(ui\/strength-meter|features\/auth\/(use-password-check|new-password|signup-problem))|core\/src\/password\.ts/

/** Changes to the record; shared by pages and editors. */
const CHANGES = /web\/src\/(features\/changes\/api|record\/change[\w-]+)/

/** The screens other than the dashboard. Compressed together they are a fifth smaller. */
const PAGES =
  /web\/src\/(routes\/(tasks|task-analytics|reports)|features\/(reports|timeline)\/(?!api)|features\/tasks\/(add-task-form|archived-tasks|task-list|task-search|search-text|goal-meter))/

/** Import and export, loaded when a file is chosen or exported. */
const FILES =
  /web\/src\/features\/your-data\/(import-review|import-plan|column-mapping|use-plan)\.|core\/src\/transfer\/(import-|entry-import|entry-export)/

/** The two editors, loaded in the background or when one is first opened. */
const EDITORS =
  /web\/src\/features\/(entries\/(entry-editor|editor-state|time-texts|other-actions|split-form|overlap-choice)|tasks\/task-editor|your-data\/overlap-prompts)/

/** Palette, settings and data pages, loaded in the background or when they are opened. */
const EXTRAS =
  /web\/src\/(routes\/(settings|data|data-print)|features\/(settings|your-data|keyboard|focus)\/(?!api|settings-provider|theme|import-review|import-plan|column-mapping|use-plan|overlap-prompts)|features\/(entries|tasks)\/(?!api|editor-request|entry-editor|editor-state|time-texts|other-actions|split-form|overlap-choice|task-editor)|app\/companions|features\/timer\/quota-banner)/

export default defineConfig(appConfig(LANGUAGE))

/** Builds the app in one language. `scripts/web-build.ts` adds the prerendered pages. */
export function appConfig(language: Language): UserConfig {
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
      ...installable(language),
    ],
    resolve: {
      alias: { 'json-bigint': resolve(import.meta.dirname, 'src/backend/plain-json.ts') },
    },
    server: { proxy: { '/v1': { target: API, ws: true } } },
    build: {
      target: 'es2023',
      cssTarget: CSS_TARGET,
      manifest: chunkList(language),
      // The output folder already contains the prerendered pages.
      emptyOutDir: false,
      // Every supported browser has it.
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: resolve(import.meta.dirname, 'app.html'),
        output: {
          // The production build, libraries included, writes nothing to the console, which must not show users' data.
          minify: { compress: { dropConsole: true } },
          // Modules that routes share are one file each, which compresses better and stays cached across builds.
          codeSplitting: {
            groups: [
              {
                name: 'framework',
                test: /node_modules\/(react|react-dom|scheduler|react-router)\//,
              },
              { name: 'controls', test: CONTROLS },
              { name: 'everyday', test: EVERYDAY },
              { name: 'password', test: PASSWORD },
              { name: 'new-password', test: NEW_PASSWORD },
              { name: 'dialog', test: /web\/src\/ui\/(dialog|modal)/ },
              // A group of its own, as sync loads it too.
              {
                name: 'overlaps',
                test: /web\/src\/record\/(overlaps|steps|continuation)|core\/src\/record\/split-id/,
              },
              // For visitors too, who load nothing else of what uses it.
              { name: 'language', test: /web\/src\/pwa\/language/ },
              { name: 'changes', test: CHANGES },
              { name: 'pages', test: PAGES },
              { name: 'extras', test: EXTRAS },
              { name: 'editors', test: EDITORS },
              { name: 'files', test: FILES },
            ],
          },
        },
      },
    },
  }
}

/** Writes the language and the description into the shell. */
function pageHead(language: Language): Plugin {
  const { description = '' } = manifestOf(language)
  return {
    name: 'stint-page-head',
    transformIndexHtml: (html) =>
      html
        .replace('<html lang="en"', `<html lang="${language}"`)
        .replace(
          /(<meta name="description" content=")[^"]*/,
          (_, start: string) => start + description,
        ),
  }
}

function manifestOf(language: Language) {
  return manifestFor(BASE, language, translator(language, catalogueOf(language)))
}

/** In development, serves the app's shell for every URL of the app, as the server does. */
function appShell(): Plugin {
  return {
    name: 'stint-app-shell',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const path = new URL(request.url ?? '/', 'http://localhost').pathname
        const isPage = request.headers.accept?.includes('text/html') && !path.includes('.')
        if (isPage && !path.startsWith('/v1')) request.url = '/app.html'
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
    transform(code, id) {
      if (!id.endsWith('/language-common/src/passwords.json')) return null
      const list: string[] = JSON.parse(code)
      return JSON.stringify([...commonPasswords(list)].toSorted())
    },
  }
}

/**
 * The manifest and the service worker of a language. All workers have one scope and one cache, so that
 * the next one removes the files of the last. The worker serves this build's files and the app's shell, so that
 * the app starts offline; it does not handle /v1. A new worker waits until the user reloads
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
      globPatterns: ['**/*.{html,js,css,svg,png,ico}'],
      // Choosing a password needs the network anyway.
      globIgnores: [
        'og.png',
        'screenshots/**',
        'assets/password-check-*',
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
      navigateFallbackDenylist: [new RegExp(`^${BASE}v1(/|$)`), /\.[a-z0-9]+$/i, /[?&]language=/],
      inlineWorkboxRuntime: true,
      importScripts: ['notification-click.js'],
      cleanupOutdatedCaches: true,
      sourcemap: false,
    },
  })
}
