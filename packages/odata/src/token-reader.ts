import { ODataSyntaxError, type SyntaxErrorCode, type Token, tokensOf } from './tokens.ts';

export class TokenReader {
  readonly #option: string;
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(option: string, source: string) {
    this.#option = option;
    this.#tokens = tokensOf(option, source);
  }

  peek(ahead = 0): Token {
    const { length } = this.#tokens;
    return this.#tokens[Math.min(this.#index + ahead, length - 1)] as Token;
  }

  next(): Token {
    const token = this.peek();
    this.#index += 1;
    return token;
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'symbol' && text === symbol;
  }

  /** In any case, as OData 4.01's operators and functions. */
  isWord(word: string): boolean {
    const { kind, text } = this.peek();
    return kind === 'name' && text.toLowerCase() === word;
  }

  takeSymbol(symbol: string): boolean {
    const is = this.isSymbol(symbol);
    if (is) this.#index += 1;
    return is;
  }

  takeWord(word: string): boolean {
    const is = this.isWord(word);
    if (is) this.#index += 1;
    return is;
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.unexpected(`"${symbol}"`);
  }

  expectName(what: string): Token {
    if (this.peek().kind !== 'name') throw this.unexpected(what);
    return this.next();
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') throw this.unexpected('the end');
  }

  unexpected(expected: string): ODataSyntaxError {
    const { kind, text } = this.peek();
    const found = kind === 'end' ? 'its end' : `"${text.slice(0, 40)}"`;
    return this.error('invalid_format', `has ${found} where ${expected} is expected`);
  }

  error(code: SyntaxErrorCode, detail: string, at = this.peek().at): ODataSyntaxError {
    return new ODataSyntaxError(code, detail, this.#option, at);
  }
}
