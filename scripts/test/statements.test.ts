import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

/**
 * The text of a statement depends on its shape alone. So the functions that write it stand where they see nothing of a request:
 * outside any other function, and in a module without variables.
 */

const root = join(import.meta.dirname, '../..');

/** What has such a function, or is part of shapes by its identity. */
const definers = ['statement', 'fragment', 'constant', 'compileOnce'];

/** The calls of these functions within others, and the variables beside those outside, with their lines. */
function violationsIn(path: string, text: string): string[] {
  const found: string[] = [];
  const violation = (start: number, what: string) => {
    found.push(`${path}:${text.slice(0, start).split('\n').length} ${what}`);
  };
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imported = module.staticImports
    .filter(({ moduleRequest }) => /^@roster\/(db|postgres)$/.test(moduleRequest.value))
    .flatMap(({ entries }) => entries.map(({ localName }) => localName.value));
  const names = definers.filter((name) => imported.includes(name));
  if (names.length === 0) return found;
  let depth = 0;
  const enter = () => {
    depth += 1;
  };
  const leave = () => {
    depth -= 1;
  };
  const visitor = new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression: ({ callee, start }) => {
      if (depth > 0 && callee.type === 'Identifier' && names.includes(callee.name))
        violation(start, `${callee.name} within a function`);
    },
    VariableDeclaration: ({ kind, start }) => {
      if (depth === 0 && kind !== 'const') violation(start, `${kind} beside ${names.join()}`);
    },
  });
  visitor.visit(program);
  return found;
}

describe('the text of a statement', () => {
  it('is written by a function at the top of a module without variables, so that it depends on its shape alone', () => {
    const sources = ['packages/*/src/*.ts', 'apps/*/src/*.ts'];
    const listed = execFileSync(
      'git',
      ['ls-files', '--cached', '--others', '--exclude-standard', ...sources],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    const paths = listed.split('\n').filter((path) => /(?<!\.test)\.ts$/.test(path));
    expect(paths.length).toBeGreaterThan(500);
    const found = paths.flatMap((path) => violationsIn(path, readFileSync(join(root, path), 'utf8')));
    expect(found).toEqual([]);
  });

  it('is found where it is written elsewhere', () => {
    const example = `
      import { statement, fragment as part, constant } from '@roster/db';
      let limit = 1;
      const fine = statement(() => sql\`select\`);
      function find(limited: boolean) {
        return statement(() => (limited ? a : b));
      }
      const make = (shape: object) => constant(shape);`;
    expect(violationsIn('example.ts', example)).toEqual([
      'example.ts:3 let beside statement,constant',
      'example.ts:6 statement within a function',
      'example.ts:8 constant within a function',
    ]);
  });
});
