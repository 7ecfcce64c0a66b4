import { EventEmitter } from 'node:events';
import type { Client, ClientConfig, Connection } from 'pg';
import { parse } from 'pg-protocol';
import { openDatabaseSocket } from './host-addresses.ts';
import { connectionInternals } from './pg-internals.ts';
import { HEADER_SIZE, ReceiveBuffer } from './receive-buffer.ts';

/** The type byte of a DataRow message. */
const DATA_ROW = 0x44;

/** A DataRow message whose columns are decoded when they are asked for. Valid only until the next message is handled. */
export class DataRow {
  readonly name = 'dataRow';
  readonly length: number;
  readonly #start: number;
  readonly #bytes: Buffer;

  /** @param start where its body begins */
  constructor(bytes: Buffer, start: number, length: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.length = length;
  }

  /** Its columns, decoded as UTF-8. */
  get fields(): (string | null)[] {
    return this.#columns('utf8');
  }

  /** Its columns as strings of bytes. */
  get bytes(): (string | null)[] {
    return this.#columns('latin1');
  }

  #columns(encoding: BufferEncoding): (string | null)[] {
    const count = this.#bytes.readInt16BE(this.#start);
    const columns: (string | null)[] = [];
    let at = this.#start + 2;
    while (columns.length < count) {
      const length = this.#bytes.readInt32BE(at);
      const start = at + 4;
      at = start + Math.max(length, 0);
      columns.push(length === -1 ? null : this.#bytes.toString(encoding, start, at));
    }
    return columns;
  }
}

/**
 * Splits whole messages: rows are emitted as `DataRow`, everything else goes through the parser of node-postgres.
 * @returns a function to call with whole messages
 */
function createMessageParser(emit: (name: string, message: unknown) => void): (messages: Buffer) => void {
  // `parse` reads from the `data` events of a stream, which may be any emitter.
  const others = new EventEmitter();
  void parse(others as NodeJS.ReadableStream, (message) =>
    emit(message.name === 'error' ? 'errorMessage' : message.name, message),
  );
  return (messages) => {
    let unparsed = 0;
    let start = 0;
    while (start < messages.length) {
      const length = messages.readUInt32BE(start + 1);
      const end = start + 1 + length;
      if (messages[start] === DATA_ROW) {
        if (unparsed < start) others.emit('data', messages.subarray(unparsed, start));
        emit('dataRow', new DataRow(messages, start + HEADER_SIZE, length));
        unparsed = end;
      }
      start = end;
    }
    if (unparsed < start) others.emit('data', messages.subarray(unparsed));
  };
}

/**
 * A class of connections that hand over each row before its columns are decoded, so that the statement decides how.
 * node-postgres decodes every column as UTF-8, which is most of the cost of a large result that is passed on as bytes.
 * Without TLS the socket reads into one buffer per connection instead of allocating one for each read.
 */
export function withRawRows(Base: typeof Client): typeof Client {
  return class extends Base {
    constructor(config?: ClientConfig) {
      super(config);
      const connection = connectionInternals(this.connection);
      const received = new ReceiveBuffer(
        createMessageParser((name, message) => connection.emit(name, message)),
      );
      connection.attachListeners = (stream) => stream.on('data', (bytes: Buffer) => received.append(bytes));
      if (!connection.ssl) connection.stream = socketInto(received);
    }
  };
}

/** A socket that reads into a buffer, and emits no `data`. */
function socketInto(received: ReceiveBuffer): Connection['stream'] {
  const callback = (length: number) => {
    received.commit(length);
    return true;
  };
  return openDatabaseSocket({ onread: { buffer: () => received.writable, callback } });
}
