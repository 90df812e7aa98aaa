/** The version of the product, shown on screens and returned by the API. */
export const VERSION = '1.0.0'
