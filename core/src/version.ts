/** The version of the product, as screens and the API say it. */
export const VERSION = '1.0.0'
