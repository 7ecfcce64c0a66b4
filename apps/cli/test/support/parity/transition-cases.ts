import type { Input } from '../../../src/input/fields.ts';
import { type CasesOf, type DoorCase, idCases, noVersion, onlyKnown } from './case.ts';
import type { Stage } from './isolated-service.ts';
import { type StagedNoun, staleCase } from './staged-records.ts';

/** The record as something has left it. */
function after(staged: StagedNoun, verbs: ('deactivate' | 'delete')[], more: Input = {}): DoorCase['input'] {
  return async (stage) => {
    const { id } = await staged.make(stage);
    for (const verb of verbs) await stage.client[staged.noun][verb].mutate({ id });
    return { id, ...more };
  };
}

/** The verbs that take a record as it is and give it another state. */
export function transitionCases(staged: StagedNoun): CasesOf {
  const unknownField: DoorCase = {
    title: 'a field that is none',
    refusal: 'validation_failed',
    input: after(staged, [], { nothing: 'x' }),
    except: onlyKnown,
  };
  const deleted = async (stage: Stage) => ({ id: String((await after(staged, ['delete'])(stage)).id) });
  return {
    get: [
      { title: 'a record', input: after(staged, []) },
      {
        title: 'an id in capitals',
        input: async (stage) => ({ id: (await staged.make(stage)).id.toUpperCase() }),
      },
      { title: 'a deleted record', refusal: 'not_found', input: deleted },
      {
        title: 'a parameter that is none',
        refusal: 'invalid_parameter',
        input: after(staged, [], { nothing: 'x' }),
        except: onlyKnown,
      },
      ...idCases(),
    ],
    delete: [
      { title: 'a record at its version', input: after(staged, ['deactivate'], { ifVersion: 2 }) },
      {
        title: 'a version that is none',
        refusal: 'invalid_parameter',
        input: after(staged, [], { ifVersion: 'two' }),
        except: noVersion,
      },
      staleCase(staged),
      ...idCases(),
    ],
    deactivate: [
      {
        title: 'a record, with a reason',
        input: after(staged, [], { reason: 'Moved to Porto', ifVersion: 1 }),
      },
      {
        title: 'an inactive record, whatever its version',
        input: after(staged, ['deactivate'], { ifVersion: 1 }),
      },
      {
        title: 'a reason that is too long',
        refusal: 'validation_failed',
        input: after(staged, [], { reason: 'x'.repeat(501) }),
      },
      {
        title: 'a version that can never be',
        refusal: 'validation_failed',
        input: after(staged, [], { ifVersion: 0 }),
        except: noVersion,
      },
      unknownField,
      staleCase(staged),
      ...idCases(),
    ],
    reactivate: [
      { title: 'an inactive record', input: after(staged, ['deactivate'], { ifVersion: 2 }) },
      { title: 'an active record', input: after(staged, []) },
      {
        title: 'a version that is gone',
        refusal: 'version_conflict',
        input: after(staged, ['deactivate'], { ifVersion: 1 }),
      },
      unknownField,
      ...idCases(),
    ],
    restore: [
      { title: 'a deleted record', input: after(staged, ['delete'], { ifVersion: 1 }) },
      { title: 'a record that is there', input: after(staged, []) },
      {
        title: 'a version that is not the last',
        refusal: 'version_conflict',
        input: after(staged, ['deactivate', 'delete'], { ifVersion: 1 }),
      },
      {
        title: 'a record whose source was taken meanwhile',
        refusal: 'source_taken',
        input: async (stage) => {
          const source = { name: 'MLS', key: `taken ${stage.unique()}` };
          const [gone, other] = [await staged.make(stage), await staged.make(stage)];
          const { update, delete: remove } = stage.client[staged.noun];
          await update.mutate({ id: gone.id, source });
          await remove.mutate({ id: gone.id });
          await update.mutate({ id: other.id, source });
          return { id: gone.id };
        },
      },
      unknownField,
      ...idCases(),
    ],
  };
}
