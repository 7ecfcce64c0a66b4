import type { Fields } from '../resources/fields/field.ts';
import { type Change, changesOf, type Json, recordBefore, splitPath, valuesByPath } from './field-changes.ts';

/** A field, and the event that set it last; undefined if the log no longer has that event. */
export interface SetField<Event> {
  field: string;
  value: unknown;
  setBy: Event | undefined;
}

/**
 * Finds the event that set each field last. The events of one record are given newest first, without the records in them: each
 * state follows from the one after it.
 */
export class Blame<Event extends Omit<Change, 'record'>> {
  readonly #fields: Fields;
  readonly #values: Map<string, unknown>;
  readonly #setBy = new Map<string, Event>();
  /** The record before the events so far. */
  #record: Json;

  /** @param newest the record after its newest event */
  constructor(newest: Json, fields: Fields) {
    this.#record = newest;
    this.#fields = fields;
    this.#values = valuesByPath(newest, fields);
  }

  /** Takes the event before those so far. */
  add(event: Event): void {
    const change = { ...event, record: this.#record };
    for (const { field } of changesOf(change, this.#fields)) {
      if (!this.#setBy.has(field)) this.#setBy.set(field, event);
    }
    this.#record = recordBefore(change);
  }

  /** Every field that has a value, or had one in these events, in the order of the record's fields. */
  result(): SetField<Event>[] {
    const order = new Map(Object.keys(this.#fields).map((name, index) => [name, index]));
    const placeOf = (path: string) => order.get(splitPath(path)[0]) ?? order.size;
    return [...new Set([...this.#values.keys(), ...this.#setBy.keys()])]
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map((field) => ({ field, value: this.#values.get(field) ?? null, setBy: this.#setBy.get(field) }));
  }
}
