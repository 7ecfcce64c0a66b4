import { setTimeout } from 'node:timers/promises';

/** One message of a stream: its event name, id and data as they stand there; a comment has only that. */
export interface Message {
  event?: string;
  id?: string;
  data?: string;
  comment?: string;
}

function messageOf(block: string): Message {
  const message: Message = {};
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    if (name === '') message.comment = value;
    else if (name === 'event' || name === 'id' || name === 'data') message[name] = value;
  }
  return message;
}

/** The messages of a response of type text/event-stream as they arrive, until it ends or the connection breaks. */
export async function* messagesOf(response: Response): AsyncGenerator<Message> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield messageOf(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}

/** The next messages that carry data, so many; throws when they take longer than 20 s. */
export async function take(messages: AsyncGenerator<Message>, count: number): Promise<Message[]> {
  const taken: Message[] = [];
  const late = setTimeout(20_000, undefined, { ref: false });
  while (taken.length < count) {
    const next = await Promise.race([messages.next(), late]);
    if (next === undefined) throw new Error(`only ${taken.length} of ${count} messages within 20 s`);
    if (next.done) throw new Error(`the stream ended after ${taken.length} of ${count} messages`);
    if (next.value.data !== undefined) taken.push(next.value);
  }
  return taken;
}
