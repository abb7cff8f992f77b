/** A longer event is not one of ours, and the connection is closed. */
export const eventLengthMax = 64 * 1024;

/**
 * Reads server-sent events (WHATWG HTML, section 9.2.6) from text chunks cut anywhere, and returns the data of each
 * complete event. Names, ids and retry times are ignored.
 * @throws RangeError when an event grows beyond `lengthMax` characters.
 */
export function eventReader(lengthMax = eventLengthMax): (chunk: string) => string[] {
  let rest = '';
  let data: string[] = [];
  let dataLength = 0;
  const refuseLonger = (length: number) => {
    if (length > lengthMax) throw new RangeError('an event is too long');
  };
  return (chunk) => {
    rest += chunk;
    const events: string[] = [];
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    refuseLonger(rest.length);
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push(data.join('\n'));
        data = [];
        dataLength = 0;
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
        // The line's end as well, so that empty lines count.
        dataLength += line.length + 1;
        refuseLonger(dataLength);
      }
    }
    return events;
  };
}
