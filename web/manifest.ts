/** The web app manifest: name, icons, screenshots and shortcuts of the installed app, and what other apps may send it. */
import type { Language, t as translate } from '@stint/core/text.ts'
import type { ManifestOptions } from 'vite-plugin-pwa'

/**
 * Returns the manifest in a language, whose texts `t` returns. `base` is the folder from which the
 * app is served, '/' or '/stint/'.
 */
export function manifestFor(
  base: string,
  language: Language,
  t: typeof translate,
): Partial<ManifestOptions> {
  return {
    id: `${base}dashboard`,
    name: 'Stint',
    short_name: 'Stint',
    description: t('Create a task, press Start, see where the time went.'),
    lang: language,
    dir: 'ltr',
    start_url: `${base}dashboard`,
    scope: base,
    display: 'standalone',
    // An open window stays as it is, and the app goes to the address itself (features/timer/use-launches.ts).
    launch_handler: { client_mode: ['focus-existing', 'auto'] },
    share_target: {
      action: `${base}dashboard`,
      method: 'GET',
      params: { title: 'title', text: 'text', url: 'url' },
    },
    protocol_handlers: [{ protocol: 'web+stint', url: `${base}dashboard?link=%s` }],
    theme_color: '#fbfaf8',
    background_color: '#fbfaf8',
    categories: ['productivity', 'business', 'utilities'],
    icons: [
      { src: `${base}icons/icon-192.png`, sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: `${base}icons/icon-512.png`, sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: `${base}icons/icon.svg`, sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      {
        src: `${base}icons/icon-maskable-192.png`,
        sizes: '192x192',
        type: 'image/png',
        purpose: 'maskable',
      },
      {
        src: `${base}icons/icon-maskable-512.png`,
        sizes: '512x512',
        type: 'image/png',
        purpose: 'maskable',
      },
      {
        src: `${base}icons/icon-monochrome.svg`,
        sizes: 'any',
        type: 'image/svg+xml',
        purpose: 'monochrome',
      },
    ],
    screenshots: [
      screenshot(base, 'dashboard', 'wide', t('The timer and your tasks')),
      screenshot(base, 'reports', 'wide', t('Reports for a month')),
      screenshot(base, 'dashboard', 'narrow', t('The timer and your tasks')),
      screenshot(base, 'task', 'narrow', t('One task, hour by hour')),
    ],
    shortcuts: [
      shortcut(
        base,
        t('Start last task'),
        'dashboard?start=last',
        t('Start the timer on your last task'),
      ),
      shortcut(base, t('Stop'), 'dashboard?stop', t('Stop the timer and save the session')),
      shortcut(base, t('Tasks'), 'tasks', t('All your tasks')),
      shortcut(base, t('Reports'), 'reports', t('See where your time went')),
    ],
  }
}

function screenshot(base: string, name: string, factor: 'wide' | 'narrow', label: string) {
  return {
    src: `${base}screenshots/${name}-${factor}.png`,
    sizes: factor === 'wide' ? '1280x800' : '780x1688',
    type: 'image/png',
    form_factor: factor,
    label,
  }
}

function shortcut(base: string, name: string, url: string, description: string) {
  return {
    name,
    url: base + url,
    description,
    icons: [{ src: `${base}icons/icon-192.png`, sizes: '192x192', type: 'image/png' }],
  }
}
