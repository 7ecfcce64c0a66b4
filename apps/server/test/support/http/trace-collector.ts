import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { PbfReader } from 'pbf';

/**
 * A collector of traces, to be run as a process of its own: takes what OTLP/HTTP sends as protobuf, and writes each span
 * as a line of JSON to standard output. The first line is its URL. It reads the messages by the numbers of OpenTelemetry's own
 * trace.proto, and shares no code with the sender. It ends when its standard input does.
 */

type Value = string | number | boolean | Value[];

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: number;
  startNs: number;
  endNs: number;
  /** 2 for an error. */
  status: number;
  attributes: Record<string, Value>;
  /** What is said of the process that made it. */
  resource: Record<string, Value>;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Reads the message that comes next in another, field by field. */
function message<Result>(
  reader: PbfReader,
  result: Result,
  fields: Record<number, (into: Result) => void>,
): Result {
  const end = reader.readVarint() + reader.pos;
  return reader.readFields((tag, into) => fields[tag]?.(into), result, end);
}

function anyValue(reader: PbfReader): Value {
  const read = message(
    reader,
    { value: '' as Value },
    {
      1: (into) => {
        into.value = reader.readString();
      },
      2: (into) => {
        into.value = reader.readBoolean();
      },
      3: (into) => {
        into.value = reader.readVarint();
      },
      4: (into) => {
        into.value = reader.readDouble();
      },
      5: (into) => {
        into.value = message(reader, [] as Value[], { 1: (list) => list.push(anyValue(reader)) });
      },
    },
  );
  return read.value;
}

function attribute(reader: PbfReader, into: Record<string, Value>): void {
  const { key, value } = message(
    reader,
    { key: '', value: '' as Value },
    {
      1: (pair) => {
        pair.key = reader.readString();
      },
      2: (pair) => {
        pair.value = anyValue(reader);
      },
    },
  );
  into[key] = value;
}

function span(reader: PbfReader): Omit<CollectedSpan, 'resource'> {
  const empty = {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    name: '',
    kind: 0,
    startNs: 0,
    endNs: 0,
    status: 0,
  };
  return message(
    reader,
    { ...empty, attributes: {} },
    {
      1: (into) => {
        into.traceId = hex(reader.readBytes());
      },
      2: (into) => {
        into.spanId = hex(reader.readBytes());
      },
      4: (into) => {
        into.parentSpanId = hex(reader.readBytes());
      },
      5: (into) => {
        into.name = reader.readString();
      },
      6: (into) => {
        into.kind = reader.readVarint();
      },
      7: (into) => {
        into.startNs = reader.readFixed64();
      },
      8: (into) => {
        into.endNs = reader.readFixed64();
      },
      9: (into) => attribute(reader, into.attributes),
      15: (into) => {
        into.status = message(
          reader,
          { code: 0 },
          {
            3: (status) => {
              status.code = reader.readVarint();
            },
          },
        ).code;
      },
    },
  );
}

/** The spans of an ExportTraceServiceRequest. */
function spansOf(body: Uint8Array): CollectedSpan[] {
  const reader = new PbfReader(body);
  const spans: CollectedSpan[] = [];
  reader.readFields((tag) => {
    if (tag !== 1) return;
    const resource = {};
    const found: Omit<CollectedSpan, 'resource'>[] = [];
    message(reader, found, {
      1: () => message(reader, resource, { 1: (into) => attribute(reader, into) }),
      2: (into) => message(reader, into, { 2: (list) => list.push(span(reader)) }),
    });
    spans.push(...found.map((one) => ({ ...one, resource })));
  }, undefined);
  return spans;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  const body = await bytesOf(request);
  const isTrace =
    request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf';
  if (!isTrace || request.headers['x-team'] !== 'directory') return void response.writeHead(400).end();
  for (const one of spansOf(body)) process.stdout.write(`${JSON.stringify(one)}\n`);
  response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().once('end', () => {
  server.close();
  server.closeAllConnections();
});
