/**
 * The part of a query option that is wrong: its text (`invalid_format`), a part that the language has and this service has not
 * (`not_supported`), or its size (`too_long`, `too_many`, `too_deep`).
 */
export type SyntaxErrorCode = 'invalid_format' | 'not_supported' | 'too_long' | 'too_many' | 'too_deep';

/** The one error that parsing throws. Its message says what is wrong, without the name of the option. */
export class ODataSyntaxError extends Error {
  readonly code: SyntaxErrorCode;
  /** The query option, such as `$filter`. */
  readonly option: string;
  /** The index of the character in the option's decoded text where the error is. */
  readonly at: number;

  constructor(code: SyntaxErrorCode, message: string, option: string, at = 0) {
    super(`${message} (character ${at + 1})`);
    this.name = 'ODataSyntaxError';
    this.code = code;
    this.option = option;
    this.at = at;
  }
}
