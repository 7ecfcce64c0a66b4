import type {
  ComparisonOperator,
  Expression,
  Literal,
  Operand,
  Path,
  TextFunctionName,
} from './expression.ts';
import { limits } from './limits.ts';
import { literalOf } from './literals.ts';
import { TokenReader } from './token-reader.ts';

const operators: readonly string[] = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] satisfies ComparisonOperator[];
const mirrored: Record<ComparisonOperator, ComparisonOperator> = {
  eq: 'eq',
  ne: 'ne',
  gt: 'lt',
  ge: 'le',
  lt: 'gt',
  le: 'ge',
};
const textFunctions: readonly string[] = ['contains', 'startswith', 'endswith'] satisfies TextFunctionName[];

export interface FilterOptions {
  now: Date;
  option?: string;
}

/** OData 4.01, part 2, section 5.1.1. Throws `ODataSyntaxError`. */
export function parseFilter(source: string, { now, option = '$filter' }: FilterOptions): Expression {
  return new FilterParser(new TokenReader(option, source), now).parse();
}

/** Recursive descent: `or` binds least, then `and`, then `not`. */
class FilterParser {
  readonly #tokens: TokenReader;
  readonly #now: Date;
  #depth = 0;
  #terms = 0;
  readonly #variables: string[] = [];

  constructor(tokens: TokenReader, now: Date) {
    this.#tokens = tokens;
    this.#now = now;
  }

  parse(): Expression {
    const expression = this.#or();
    this.#tokens.expectEnd();
    return expression;
  }

  #or(): Expression {
    return this.#joined('or', () => this.#joined('and', () => this.#unary()));
  }

  #joined(kind: 'and' | 'or', part: () => Expression): Expression {
    const { at } = this.#tokens.peek();
    const first = part();
    const parts = [first];
    while (this.#tokens.takeWord(kind)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts, at };
  }

  #nested<Result>(parse: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > limits.depthMax)
      throw this.#tokens.error('too_deep', `is nested more than ${limits.depthMax} levels deep`);
    const result = parse();
    this.#depth -= 1;
    return result;
  }

  #unary(): Expression {
    const { at } = this.#tokens.peek();
    if (!this.#isNot()) return this.#primary();
    this.#tokens.next();
    const part = this.#nested(() => this.#unary());
    // `not` binds more tightly than a comparison: `not A eq 1` would negate A, which is no condition.
    const { kind } = part;
    if ((kind === 'compare' || kind === 'in') && part.at === this.#negated)
      throw this.#tokens.error('invalid_format', 'has a "not" whose comparison is not in parentheses', at);
    return { kind: 'not', part, at };
  }

  /** The position of a comparison right after `not`. */
  #negated = -1;

  #isNot(): boolean {
    if (!this.#tokens.isWord('not')) return false;
    this.#negated = this.#tokens.peek(1).at;
    return true;
  }

  #primary(): Expression {
    const tokens = this.#tokens;
    if (tokens.isSymbol('(')) {
      return this.#nested(() => {
        tokens.expectSymbol('(');
        const inside = this.#or();
        tokens.expectSymbol(')');
        return inside;
      });
    }
    this.#terms += 1;
    if (this.#terms > limits.termsMax)
      throw tokens.error('too_many', `has more than ${limits.termsMax} comparisons`);
    const { at, text } = tokens.peek();
    const name = text.toLowerCase();
    if (textFunctions.includes(name) && tokens.isSymbol('(', 1)) return this.#textFunction(at);
    const literal = this.#literal();
    if (literal !== undefined) return this.#mirrored(literal);
    return this.#comparison(at);
  }

  #mirrored(value: Literal): Expression {
    const operator = this.#operator();
    if (operator === undefined) throw this.#tokens.unexpected('a comparison');
    return { kind: 'compare', operand: this.#operand(), operator: mirrored[operator], value, at: value.at };
  }

  #comparison(at: number): Expression {
    const tokens = this.#tokens;
    const operand = this.#operand();
    const lambda = this.#lambda(operand, at);
    if (lambda !== undefined) return lambda;
    if (tokens.takeWord('in')) return { kind: 'in', operand, values: this.#list(), at };
    const operator = this.#operator();
    if (operator === undefined) throw tokens.unexpected('a comparison');
    const value = this.#literal();
    if (value === undefined) throw tokens.unexpected('a literal value');
    return { kind: 'compare', operand, operator, value, at };
  }

  #operator(): ComparisonOperator | undefined {
    const { kind, text, at } = this.#tokens.peek();
    const name = text.toLowerCase();
    if (kind !== 'name') return undefined;
    if (['has', 'add', 'sub', 'mul', 'div', 'divby', 'mod'].includes(name))
      throw this.#tokens.error(
        'not_supported',
        `has the operator ${name}, which this service does not support`,
        at,
      );
    if (!operators.includes(name)) return undefined;
    this.#tokens.next();
    return name as ComparisonOperator;
  }

  #operand(): Operand {
    const tokens = this.#tokens;
    if (tokens.peek().kind === 'name' && tokens.isSymbol('(', 1)) {
      const { text, at } = tokens.next();
      const name = text.toLowerCase();
      if (name !== 'tolower')
        throw tokens.error(
          'not_supported',
          `has the function ${text.slice(0, 40)}, which this service does not support here`,
          at,
        );
      tokens.expectSymbol('(');
      const path = this.#path();
      tokens.expectSymbol(')');
      return { path, isLowered: true };
    }
    return { path: this.#path(), isLowered: false };
  }

  /** Leaves `any` and `all` at the end to the lambda. */
  #path(): Path {
    const { text, at } = this.#tokens.expectName('the name of a property');
    let name = text;
    while (this.#tokens.isSymbol('/') && !this.#isLambdaAhead()) {
      this.#tokens.next();
      name += `/${this.#tokens.expectName('the name of a property').text}`;
    }
    return { kind: 'path', name, at };
  }

  #isLambdaAhead(): boolean {
    const { kind, text } = this.#tokens.peek(1);
    return kind === 'name' && /^(?:any|all)$/i.test(text) && this.#tokens.isSymbol('(', 2);
  }

  #lambda({ path, isLowered }: Operand, at: number): Expression | undefined {
    const tokens = this.#tokens;
    if (isLowered || !tokens.isSymbol('/')) return undefined;
    tokens.next();
    const kind = tokens.next().text.toLowerCase() === 'any' ? 'any' : 'all';
    tokens.expectSymbol('(');
    if (kind === 'any' && tokens.takeSymbol(')')) return { kind, path, at };
    const variable = tokens.expectName('the variable of the lambda').text;
    if (this.#variables.includes(variable))
      throw tokens.error('invalid_format', `has the variable ${variable.slice(0, 40)} twice`);
    tokens.expectSymbol(':');
    this.#variables.push(variable);
    const body = this.#nested(() => this.#or());
    this.#variables.pop();
    tokens.expectSymbol(')');
    return { kind, path, variable, body, at };
  }

  #textFunction(at: number): Expression {
    const tokens = this.#tokens;
    const name = tokens.next().text.toLowerCase() as TextFunctionName;
    tokens.expectSymbol('(');
    const operand = this.#operand();
    tokens.expectSymbol(',');
    const { kind, text } = tokens.peek();
    if (kind !== 'text') throw tokens.unexpected('a text in quotes');
    tokens.next();
    tokens.expectSymbol(')');
    const call: Expression = { kind: 'text', function: name, operand, value: text, at };
    return this.#comparedWithBoolean(call);
  }

  /** `contains(…) eq true` and `… eq false`, which some clients write. */
  #comparedWithBoolean(call: Expression): Expression {
    const operator = this.#operator();
    if (operator === undefined) return call;
    const value = this.#literal();
    if (value?.kind !== 'boolean' || (operator !== 'eq' && operator !== 'ne'))
      throw this.#tokens.error(
        'invalid_format',
        `compares a condition with something else than true or false`,
        call.at,
      );
    const isMeant = value.value === (operator === 'eq');
    return isMeant ? call : { kind: 'not', part: call, at: call.at };
  }

  #list(): Literal[] {
    const tokens = this.#tokens;
    tokens.expectSymbol('(');
    const values: Literal[] = [];
    do {
      if (values.length >= limits.valuesMax)
        throw tokens.error('too_many', `has an "in" with more than ${limits.valuesMax} values`);
      const value = this.#literal();
      if (value === undefined) throw tokens.unexpected('a literal value');
      values.push(value);
    } while (tokens.takeSymbol(','));
    tokens.expectSymbol(')');
    return values;
  }

  #literal(): Literal | undefined {
    return literalOf(this.#tokens, this.#now);
  }
}
