/** Frames for the interaction log: without NUL characters and without a station's password. */
import { type FrameFault, frameCharsMax, type Payload, type ResultFrame, writeResult } from './frame.ts';
import { blottedPassword, withoutPassword } from './passwords.ts';

/** How much of a frame that was too long to read is logged. */
const loggedCharsMax = 4_096;

/** The logged form (see Exchange): JSON has NULs only after its end. */
export function legible(text: string): string {
  return text.endsWith('\0') ? text.replaceAll('\0', '\u2400') : text;
}

export function legibleFault({ because }: FrameFault, text: string): string {
  const cut = because === 'too-long' ? text.slice(0, loggedCharsMax) : text;
  return withoutReadablePassword(cut.replaceAll('\0', '\u2400'));
}

/** For frames whose place in the protocol is unknown: leaves out everything after the name of the password's key. */
export function withoutReadablePassword(text: string): string {
  const at = text.search(/"authorizationkey"/i);
  return at === -1 ? text : `${text.slice(0, at)}"AuthorizationKey" ${blottedPassword}`;
}

export function resultText(action: string, reply: ResultFrame, text: string): string {
  const blotted: Payload = withoutPassword(action, reply.payload);
  return blotted === reply.payload ? text : writeResult(reply.id, blotted);
}

export const faultDescriptions: Readonly<Record<FrameFault['because'], string>> = {
  'too-long': `the frame is longer than ${frameCharsMax} characters`,
  'not-json': 'the frame is not JSON',
  'too-deep': 'the payload is nested too deeply',
  'not-a-frame': 'the frame is no call, result or error',
  'bad-id': 'the message id is not a text of 1 to 255 characters',
  'bad-action': 'the action is not a name',
  'bad-payload': 'the frame has not the parts that it should have',
};
