/** The arguments of every Chromium in browser tests and measurements. */

/**
 * The features that Playwright disables, as of 1.65 and as far as they matter here. The browser
 * reads only the last list of features, so this list must repeat them.
 */
const OFF_WITH_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/**
 * The drop-down lists of the address bar are pages that load with every new window: half a second
 * of processor time, as much as Stint takes to be on screen.
 */
const ADDRESS_BAR_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/**
 * A process that waits for the next page. Each test is a context of its own, which never uses the one
 * of the test before: a tenth of the processor time of a short test.
 */
const SPARE_PROCESS = 'SpareRendererForSitePerProcess'

export const CHROMIUM_ARGUMENTS: readonly string[] = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...OFF_WITH_PLAYWRIGHT, ...ADDRESS_BAR_PAGES, SPARE_PROCESS].join(',')}`,
]
