import type { Socket } from 'node:net';
import type { Client, ClientConfig, Connection } from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';
import { openDatabaseSocket } from '../hosts/host-addresses.ts';
import { Inbox } from './receive-buffer.ts';

/** DataRow, in the messages of PostgreSQL's protocol. */
const DATA_ROW = 0x44;

/** The columns of a row, to be read while the row is told of: what follows on the connection takes its place. */
export class RowMessage {
  readonly name = 'dataRow';
  readonly length: number;
  readonly #start: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, start: number, length: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.length = length;
  }

  /** As text in UTF-8. */
  get fields(): (string | null)[] {
    return this.#columns('utf8');
  }

  /** As they came: each character is a byte. */
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

type Message = { name: string };

/** What its parser is, undeclared. */
interface Parsing {
  parse(chunk: Buffer, told: (message: Message) => void): void;
  handlePacket(start: number, code: number, length: number, bytes: Buffer): Message;
}

/** What node-postgres calls and sets before it connects, and does not declare. */
interface Undeclared {
  attachListeners(stream: Connection['stream']): void;
  stream: Connection['stream'];
  ssl: unknown;
}

class RowParser extends (Parser as unknown as new () => Parsing) {
  override handlePacket(start: number, code: number, length: number, bytes: Buffer): Message {
    return code === DATA_ROW
      ? new RowMessage(bytes, start, length)
      : super.handlePacket(start, code, length, bytes);
  }
}

/**
 * Connections that tell of rows before their columns are read, so that whoever asked says as what: node-postgres makes
 * text of every column, which costs more than all else about a page of records that goes on as the bytes it is. They are
 * read into one buffer each, where there is no TLS, which reads by itself; to allocate one for every read costs as much.
 */
export function tellingRows(Base: typeof Client): typeof Client {
  return class extends Base {
    constructor(config?: ClientConfig) {
      super(config);
      const connection = this.connection as Connection & Undeclared;
      const parser = new RowParser();
      const tell = (message: Message) =>
        connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message);
      const parse = (chunk: Buffer) => parser.parse(chunk, tell);
      connection.attachListeners = (stream) => stream.on('data', parse);
      if (!connection.ssl) connection.stream = readInto(new Inbox(parse));
    }
  };
}

/** A socket that is read into an inbox, and emits no data. */
function readInto(inbox: Inbox): Socket {
  const callback = (length: number) => {
    inbox.take(length);
    return true;
  };
  return openDatabaseSocket({ onread: { buffer: () => inbox.room, callback } });
}
