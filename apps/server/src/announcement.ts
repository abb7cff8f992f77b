/** What a start comes to: where to go, as whom and with what. */
export type Announcement = {
  url: string;
  /** Null: nothing listens for YKC stations. */
  ykcPort: number | null;
  userName: string;
  /** Where the password is, never the password. */
  password: string;
};

/** The lines a person looks for after the start; scripts read the first two. */
export function announcementText({ url, ykcPort, userName, password }: Announcement): string {
  return [
    `Voltdeck is at    ${url}`,
    ...(ykcPort === null ? [] : [`YKC stations at   tcp://${new URL(url).hostname}:${ykcPort}`]),
    `Sign in as        ${userName}`,
    `The password is   ${password}\n`,
  ].join('\n');
}

/** Where a server says that it listens, by what it has written so far; null until it has said so. */
export function announcedIn(output: string): Pick<Announcement, 'url' | 'ykcPort'> | null {
  // The line after them proves that they are whole and that none of them is still to come.
  const told = /^Voltdeck is at +(\S+)\n(?:YKC stations at +tcp:\S+:(\d+)\n)?Sign in as /m.exec(output);
  if (told === null) return null;
  const [, url = '', ykcPort] = told;
  return { url, ykcPort: ykcPort === undefined ? null : Number(ykcPort) };
}
