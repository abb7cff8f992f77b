/** What a started server announces: its address, the user name and where the password is. */
export type Announcement = {
  url: string;
  /** Null when nothing listens for YKC stations. */
  ykcPort: number | null;
  userName: string;
  /** Where the password is stored, never the password. */
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

/** The addresses in a server's output so far; null until both are there. */
export function announcedIn(output: string): Pick<Announcement, 'url' | 'ykcPort'> | null {
  // The following line proves that they are complete and that none is still to come.
  const told = /^Voltdeck is at +(\S+)\n(?:YKC stations at +tcp:\S+:(\d+)\n)?Sign in as /m.exec(output);
  if (told === null) return null;
  const [, url = '', ykcPort] = told;
  return { url, ykcPort: ykcPort === undefined ? null : Number(ykcPort) };
}
