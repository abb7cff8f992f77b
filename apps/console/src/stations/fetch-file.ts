import { type AnyRoute, type CallArguments, download } from '../api/call.ts';
import { saveFile } from '../ui/save-file.ts';

/** Downloads a file and keeps it under its name. @throws Refused, Unreachable */
export async function fetchFile<R extends AnyRoute>(route: R, input: object): Promise<void> {
  const { file, name } = await download(route, ...([{ ...input, quiet: true }] as unknown as CallArguments<R>));
  saveFile(file, name);
}
