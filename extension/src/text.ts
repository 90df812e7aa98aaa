/** The texts of the extension, in the language of the browser: static/_locales has them. */
import type messages from './static/_locales/en/messages.json'

export type TextName = keyof typeof messages

/** Returns a text, with its placeholders' values in their order. */
export function text(name: TextName, ...values: string[]): string {
  return chrome.i18n.getMessage(name, values)
}

/** Fills in the texts that the page's elements name, and says which language the page is in. */
export function fillTexts(): void {
  document.documentElement.lang = chrome.i18n.getUILanguage()
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = chrome.i18n.getMessage(element.dataset['text'] ?? '')
  }
}
