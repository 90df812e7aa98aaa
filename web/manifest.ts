/** What an installed Stint is called, looks like and offers. Addresses are relative to its base. */
import type { ManifestOptions } from 'vite-plugin-pwa'

export const MANIFEST: Partial<ManifestOptions> = {
  id: 'dashboard',
  name: 'Stint',
  short_name: 'Stint',
  description: 'Create a task, press Start, see where the time went.',
  lang: 'en',
  dir: 'ltr',
  start_url: 'dashboard',
  scope: './',
  display: 'standalone',
  theme_color: '#fbfaf8',
  background_color: '#fbfaf8',
  categories: ['productivity', 'business', 'utilities'],
  icons: [
    { src: 'icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
    { src: 'icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: 'icons/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    {
      src: 'icons/icon-maskable-192.png',
      sizes: '192x192',
      type: 'image/png',
      purpose: 'maskable',
    },
    {
      src: 'icons/icon-maskable-512.png',
      sizes: '512x512',
      type: 'image/png',
      purpose: 'maskable',
    },
    {
      src: 'icons/icon-monochrome.svg',
      sizes: 'any',
      type: 'image/svg+xml',
      purpose: 'monochrome',
    },
  ],
  screenshots: [
    screenshot('dashboard', 'wide', 'The timer and your tasks'),
    screenshot('reports', 'wide', 'Where the time of a month went'),
    screenshot('dashboard', 'narrow', 'The timer and your tasks'),
    screenshot('task', 'narrow', 'One task, hour by hour'),
  ],
  shortcuts: [
    shortcut('Start last task', 'dashboard?start=last', 'Time what you worked on last'),
    shortcut('Tasks', 'tasks', 'All your tasks'),
    shortcut('Reports', 'reports', 'Where your time went'),
  ],
}

function screenshot(name: string, factor: 'wide' | 'narrow', label: string) {
  return {
    src: `screenshots/${name}-${factor}.png`,
    sizes: factor === 'wide' ? '1280x800' : '780x1688',
    type: 'image/png',
    form_factor: factor,
    label,
  }
}

function shortcut(name: string, url: string, description: string) {
  return {
    name,
    url,
    description,
    icons: [{ src: 'icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
  }
}
