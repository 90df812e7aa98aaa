/**
 * Prerenders the public pages as complete HTML files: the first reply for `/`, `/terms` and
 * `/privacy` contains everything, styles included (docs/decisions/0041-pages-and-builds.md).
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { build, runnerImport } from 'vite'
import type { Plugin } from 'vite'

import type * as Renderer from '../web/src/public-site/render.tsx'
import type { RenderedPage } from '../web/src/public-site/render.tsx'
import { LANGUAGES } from '@stint/core/text.ts'
import type { Language } from '@stint/core/text.ts'

import {
  pageFileAddress,
  robotsText,
  sitemapText,
  withPublicUrl,
} from '../server/src/site/addresses.ts'
import { chunkList, CSS_TARGET, nameIn } from '../web/build-targets.ts'
import { ROOT } from './run.ts'
import { compiledTexts } from './texts/compile.ts'

const WEB = join(ROOT, 'web')
const STYLES = join(WEB, 'src/styles.css')
const SCRIPT = join(WEB, 'src/public-site/script.ts')

export interface PrerenderOptions {
  readonly outDir: string
  readonly language: Language
  /** The path that the app is served from: '/' or '/stint/'. */
  readonly base: string
  /** The public address of the site, without a trailing slash; null: the server fills it in. */
  readonly publicUrl: string | null
  /** Null: the server fills it in. */
  readonly supportEmail: string | null
}

/** Writes the public pages, their script and robots.txt into `outDir`. */
export async function prerender(options: PrerenderOptions): Promise<void> {
  const { outDir, base, language, publicUrl } = options
  const { renderPublicPages } = await renderer(base, language)
  const pages = renderPublicPages(options.supportEmail).map(withClasses)
  const { script, styles } = await buildAssets(language, base, outDir, pages)
  await mkdir(outDir, { recursive: true })
  for (const page of pages) {
    const { body, style } = withShortNames(page.body, styles.get(page.name) ?? '')
    const html = documentOf({ page: { ...page, body }, style, script, base, language })
    await writeFile(
      join(outDir, `${page.name}.html`),
      publicUrl === null
        ? html
        : withPublicUrl(html, publicUrl, (each) => pageFileAddress(page.path, each), {
            language,
            languages: LANGUAGES,
          }),
    )
  }
  await writeFile(join(outDir, 'robots.txt'), robotsText(base, publicUrl))
  if (publicUrl !== null) {
    const paths = LANGUAGES.flatMap((each) => pages.map(({ path }) => pageFileAddress(path, each)))
    await writeFile(join(outDir, 'sitemap.xml'), sitemapText(paths, publicUrl))
  }
}

/**
 * Writes the screens for guests: the built app's shell with the screen rendered in it. The app
 * loads after the first frame and takes over the screen when it is ready.
 */
export async function prerenderScreens(
  outDir: string,
  base: string,
  language: Language,
): Promise<void> {
  const shell = await readFile(join(outDir, 'app.html'), 'utf8')
  const { renderSignInScreens } = await renderer(base, language)
  const screens = renderSignInScreens().map(withClasses)
  const { styles } = await buildAssets(language, base, null, screens)
  const chunks = await readChunks(join(outDir, chunkList(language)))
  for (const screen of screens) {
    const { body, style } = withShortNames(screen.body, styles.get(screen.name) ?? '')
    const route = closureOf(chunks, `src/routes/${screen.name}.tsx`).map((file) => base + file)
    const html = shell
      .replace(/<title>.*?<\/title>/, `<title>${screen.title}</title>`)
      // The files that the page loads. The inline script of the theme is kept.
      .replaceAll(/ *<(?:script [^>]*src=|link rel="(?:modulepreload|stylesheet)").*\n/g, '')
      .replace(
        '</head>',
        () =>
          `<style>${style}</style><script type="module">${takeOver(shell, route)}</script></head>`,
      )
      .replace('<div id="root"></div>', () => `<div id="root">${body}</div>`)
    await writeFile(join(outDir, `${screen.name}.html`), html)
  }
  await writeFile(join(outDir, 'app.html'), withSignedInParts(shell, chunks, base))
}

/**
 * Makes the shell request what every signed-in screen needs at once, not after the app has started.
 * The other screens have pages of their own.
 */
function withSignedInParts(
  shell: string,
  chunks: Readonly<Record<string, Chunk>>,
  base: string,
): string {
  const files = SIGNED_IN_PARTS.flatMap((key) => closureOf(chunks, key)).map((file) => base + file)
  const links = [...new Set(files)]
    .filter((file) => !shell.includes(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="${file}">`)
  return shell.replace('</head>', () => `${links.join('')}</head>`)
}

const SIGNED_IN_PARTS = ['src/app/require-signed-in.tsx', 'src/session/open-user.ts']

/**
 * Returns a script that fetches everything at once, and starts the app when its styles are loaded.
 */
function takeOver(shell: string, route: readonly string[]): string {
  const [, app = ''] = /<script[^>]* src="([^"]+)"/.exec(shell) ?? []
  const [, styles = ''] = /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(shell) ?? []
  const modules = [...shell.matchAll(/<link rel="modulepreload"[^>]* href="([^"]+)"/g)].map(
    ([, href = '']) => href,
  )
  const all = JSON.stringify([...new Set([app, ...modules, ...route])])
  return `requestAnimationFrame(()=>setTimeout(()=>{\
const add=(rel,href)=>{const link=document.createElement("link");Object.assign(link,{rel,href,crossOrigin:""});document.head.append(link);return link};\
for(const href of ${all})add("modulepreload",href);\
const styles=add("stylesheet",${JSON.stringify(styles)});\
styles.onload=styles.onerror=()=>import(${JSON.stringify(app)})}))`
}

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

async function readChunks(list: string): Promise<Readonly<Record<string, Chunk>>> {
  const text = await readFile(list, 'utf8')
  // The edge to a file that Vite wrote.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as Readonly<Record<string, Chunk>>
}

/** Returns the files of a chunk and of all its imports. */
function closureOf(chunks: Readonly<Record<string, Chunk>>, key: string): string[] {
  const chunk = chunks[key]
  if (!chunk) return []
  return [chunk.file, ...(chunk.imports ?? []).flatMap((name) => closureOf(chunks, name))]
}

async function renderer(base: string, language: Language): Promise<typeof Renderer> {
  // An import through Vite otherwise sets development mode, for later builds too.
  process.env['NODE_ENV'] ??= 'production'
  const file = join(WEB, 'src/public-site/render.tsx')
  const { module } = await runnerImport<typeof Renderer>(file, {
    ...SHARED,
    base,
    plugins: [compiledTexts(language), react()],
  })
  return module
}

const SHARED = { root: WEB, configFile: false, logLevel: 'warn' } as const

interface StyledPage {
  readonly name: string
  readonly body: string
  /** The CSS rules that replace style attributes. */
  readonly rules: string
}

function withClasses<T extends { readonly body: string }>(page: T): T & { readonly rules: string } {
  return { ...page, ...withoutStyleAttributes(withoutIdleParts(page.body)) }
}

/**
 * Removes attributes that only the app's scripts use: hooks of tooltips and keyboard navigation,
 * marks of the router, and labels of empty hours.
 */
function withoutIdleParts(html: string): string {
  return html.replaceAll(
    / (?:data-tip="[^"]*"|data-discover="true"|tabindex="-1"|aria-label="[^"]*: nothing"|xmlns="[^"]*")/g,
    '',
  )
}

/**
 * Replaces each distinct style attribute of the components with a class, because the policy of the
 * pages allows no style attributes.
 */
function withoutStyleAttributes(html: string): { body: string; rules: string } {
  const names = new Map<string, string>()
  const body = html.replaceAll(/<[a-z][^>]* style="[^"]*"[^>]*>/g, (tag) => {
    const [, style = ''] = / style="([^"]*)"/.exec(tag) ?? []
    const name = names.get(style) ?? `s${names.size}`
    names.set(style, name)
    const plain = tag.replace(/ style="[^"]*"/, '')
    return plain.includes(' class="')
      ? plain.replace(' class="', ` class="${name} `)
      : plain.replace(/^<[a-z]+/, `$& class="${name}"`)
  })
  const rules = [...names].map(([style, name]) => `.${name}{${unescapeHtml(style)}}`).join('\n')
  return { body, rules }
}

/**
 * Gives every class a short name, in the markup and in the style sheet. Of `/` this saves 1,430 of 11,150 bytes as
 * sent, and 52 of 111 KB as read. Classes without a rule are removed.
 */
function withShortNames(body: string, style: string): { body: string; style: string } {
  const counts = new Map<string, number>()
  for (const name of classesOf(body)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const inRules = new Set([...style.matchAll(CLASS_SELECTOR)].map(([, name = '']) => bare(name)))
  const names = [...counts.keys()]
    .filter((name) => inRules.has(name))
    .toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))
  const short = new Map(names.map((name, index) => [name, shortName(index)]))
  return {
    body: body.replaceAll(/ class="([^"]*)"/g, (_attribute, text: string) => {
      const kept = unescapeHtml(text)
        .split(/\s+/)
        .flatMap((name) => short.get(name) ?? [])
      return kept.length > 0 ? ` class="${kept.join(' ')}"` : ''
    }),
    style: style.replaceAll(CLASS_SELECTOR, (selector, name: string) =>
      short.has(bare(name)) ? `.${short.get(bare(name))}` : selector,
    ),
  }
}

/**
 * Matches a class in a selector, with its escapes: `.md\:h-8`. Numbers match too, but are not
 * classes.
 */
const CLASS_SELECTOR = /\.((?:\\.|[\w-])+)/g

function bare(escaped: string): string {
  return escaped.replaceAll('\\', '')
}

/** Returns 'a' … 'z', 'aa', 'ab' … */
function shortName(index: number): string {
  const last = String.fromCodePoint(97 + (index % 26))
  return index < 26 ? last : shortName(Math.floor(index / 26) - 1) + last
}

function classesOf(html: string): string[] {
  return [...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) =>
    unescapeHtml(names).split(/\s+/),
  )
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/**
 * Builds the script that the pages share, written into `outDir` unless that is null, and for each
 * page exactly the rules that it uses.
 */
async function buildAssets(
  language: Language,
  base: string,
  outDir: string | null,
  pages: readonly StyledPage[],
): Promise<{ script: string; styles: ReadonlyMap<string, string> }> {
  const result = await build({
    ...SHARED,
    base,
    publicDir: false,
    plugins: [compiledTexts(language), tailwindcss(), pageStyles(pages)],
    build: {
      write: false,
      target: 'es2023',
      cssTarget: CSS_TARGET,
      modulePreload: false,
      cssCodeSplit: true,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: {
          public: SCRIPT,
          ...Object.fromEntries(pages.map(({ name }) => [name, `${STYLES}?page=${name}`])),
        },
        output: { minify: { compress: { dropConsole: true } } },
      },
    },
  })
  if (Array.isArray(result) || !('output' in result)) throw new Error('The build made no output')
  const styles = new Map<string, string>()
  let script = ''
  for (const part of result.output) {
    if (part.type === 'asset' && part.fileName.endsWith('.css')) {
      // Pages with the same rules share one asset.
      for (const { name } of pages) {
        if (part.names.includes(`${name}.css`))
          styles.set(name, withoutFallback(String(part.source)))
      }
    } else if (part.type === 'chunk' && part.facadeModuleId === SCRIPT) {
      script = part.fileName
      if (outDir === null) continue
      const file = join(outDir, part.fileName)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, part.code)
    }
  }
  if (script === '') throw new Error('The build made no script for the public pages')
  return { script, styles }
}

/** Removes Tailwind's notice and its fallback for browsers older than the targets. */
function withoutFallback(style: string): string {
  return style
    .replace(/^\/\*!.*?\*\/\s*/, '')
    .replace(/^@layer properties\{@supports .*?\}\}\}/, '')
    .trim()
}

/**
 * Reduces the app's style sheet to a page: Tailwind sees only the classes of its markup, and keeps
 * only the tokens that they use.
 */
function pageStyles(pages: readonly StyledPage[]): Plugin {
  return {
    name: 'stint-page-styles',
    enforce: 'pre',
    async load(id) {
      const [path, query] = id.split('?page=')
      const page = pages.find(({ name }) => name === query)
      if (path !== STYLES || !page) return null
      const source = await readFile(STYLES, 'utf8')
      return source
        .replace(
          "@import 'tailwindcss';",
          `@layer theme, base, components, utilities;
           @import 'tailwindcss/theme.css' layer(theme);
           @import './public-site/reset.css' layer(base);
           @import 'tailwindcss/utilities.css' layer(utilities) source(none);
           @source inline(${JSON.stringify([...new Set(classesOf(page.body))].join(' '))});`,
        )
        .replace('@theme static', '@theme inline {\n  --spacing: 0.25rem;\n}\n@theme')
        .concat(page.rules)
    },
  }
}

function documentOf(parts: {
  page: RenderedPage
  style: string
  script: string
  base: string
  language: Language
}): string {
  const { page, style, script, base, language } = parts
  const at = (path: string) => `${base}${path}`
  return `<!doctype html>
<html lang="${language}" dir="ltr" data-theme="system">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${page.title}</title>
<meta name="description" content="${page.description}">
<style>${style}</style>
<script type="module">${afterFirstFrame(at(script))}</script>
<link rel="icon" href="${at('icons/favicon.svg')}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${at('icons/apple-touch-icon.png')}">
<link rel="manifest" href="${at(nameIn(language, 'manifest.webmanifest'))}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${THEME_COLORS.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${THEME_COLORS.dark}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Stint">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:image" content="${at('og.png')}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${page.picture}">
<meta name="twitter:card" content="summary_large_image">
<script>${LAST_THEME}</script>
</head>
<body>${page.body}</body>
</html>
`
}

/** Returns a script element that loads after the first paint, so that it never competes with it. */
function afterFirstFrame(script: string): string {
  return `requestAnimationFrame(()=>setTimeout(()=>import(${JSON.stringify(script)})))`
}

/** The background of styles.css in both themes, without oklch, as browsers require here. */
const THEME_COLORS = { light: '#fbfaf8', dark: '#0f1116' }

/**
 * A script that applies the theme of the last visit before the first paint, as app.html does. Otherwise
 * the page follows the system.
 */
const LAST_THEME = `try{const theme=localStorage.getItem("stint-theme"),colors=${JSON.stringify(THEME_COLORS)};\
if(theme in colors){document.documentElement.dataset.theme=theme;\
for(const meta of document.querySelectorAll("meta[name=color-scheme],meta[name=theme-color]"))\
meta.content=meta.name==="theme-color"?colors[theme]:theme}}catch{}`
