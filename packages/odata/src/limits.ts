export const limits = {
  /** Characters per option. */
  optionMax: 10_000,
  /** Comparisons, functions and lambdas per `$filter`. */
  termsMax: 200,
  /** Nesting of parentheses, `not` and lambdas. */
  depthMax: 20,
  /** Values per `in`. */
  valuesMax: 500,
  orderKeysMax: 5,
  /** Names per `$select`. */
  namesMax: 200,
  /** Items per `$expand`. */
  expansionsMax: 10,
} as const;
