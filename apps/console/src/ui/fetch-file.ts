import { type AnyRoute, type CallArguments, download } from '../api/call.ts';
import { saveFile } from './save-file.ts';

/** Downloads a file and keeps it under the name that the server suggests, which is returned. @throws Refused, Unreachable */
export async function fetchFile<R extends AnyRoute>(route: R, input: object): Promise<string> {
  const { file, name } = await download(route, ...([{ ...input, quiet: true }] as unknown as CallArguments<R>));
  saveFile(file, name);
  return name;
}
