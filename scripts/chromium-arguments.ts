/** What every Chromium of the walks and the measurements is started with. */

/**
 * What Playwright switches off by itself, as of 1.65 and as far as it concerns this system: the
 * browser reads only the last list of features, which is ours.
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
 * The lists that drop down from the address bar are pages, loaded with every new window though
 * nobody sees one: half a second of processor time, as much as all of Stint takes to be on screen.
 */
const ADDRESS_BAR_PAGES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

export const CHROMIUM_ARGUMENTS: readonly string[] = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...OFF_WITH_PLAYWRIGHT, ...ADDRESS_BAR_PAGES].join(',')}`,
]
