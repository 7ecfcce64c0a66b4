/** The bounds of query options. What exceeds one is rejected before anything else is done with it. */
export const limits = {
  /** Characters of one option. */
  optionMax: 10_000,
  /** Comparisons, functions and lambdas of one `$filter`. */
  termsMax: 200,
  /** Parentheses, `not`s and lambdas in one another. */
  depthMax: 20,
  /** Values of one `in`. */
  valuesMax: 500,
  orderKeysMax: 5,
  /** Names of one `$select`. */
  namesMax: 200,
  /** Items of one `$expand`. */
  expansionsMax: 10,
} as const;
