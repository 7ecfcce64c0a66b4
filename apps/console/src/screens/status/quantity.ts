const durations = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A duration in the language of the page, in its greatest unit: "3 hours". */
export function durationText(seconds: number, locale: string): string {
  const [unit, length] = durations.find(([, least]) => seconds >= least) ?? ['second', 1];
  const value = Math.floor(seconds / length);
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in the language of the page: "52 MB". */
export function bytesText(bytes: number, locale: string): string {
  const at = bytes < 1 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(bytes) / 3));
  const format = { style: 'unit', unit: sizes[at] ?? 'byte', maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(locale, format).format(bytes / 1_000 ** at);
}

/** A duration of milliseconds, as what it is: "120 ms". */
export function millisecondsText(ms: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' }).format(ms);
}
