/**
 * The oldest supported browsers of the CSS build: those with `light-dark()`, since May 2024. Older
 * targets would double the size of the CSS and rule out nested themes.
 */
export const CSS_TARGET = ['chrome123', 'edge123', 'firefox128', 'safari17.5']
