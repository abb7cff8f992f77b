/** Allows text, inline styles and pictures from the console's own server, whatever the article contains. */
const policy = (origin: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src ${origin}; base-uri 'none'; form-action 'none'`;

const styles = `
  :root { color-scheme: light; }
  body { margin: 0; padding: 16px; font: 16px/1.7 system-ui, -apple-system, "PingFang SC", "Microsoft YaHei",
    "Noto Sans SC", sans-serif; color: #1d2433; background: #fff; overflow-wrap: anywhere; }
  h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.4; }
  h2, h3, h4, h5, h6 { line-height: 1.4; }
  img { max-width: 100%; height: auto; }
  blockquote { margin: 0 0 16px; padding-left: 12px; color: #566074; border-left: 3px solid #c9d0dc; }
  table { border-collapse: collapse; max-width: 100%; }
  th, td { padding: 4px 8px; border: 1px solid #c9d0dc; }
  a { color: #3f5be0; }
`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}

export type Preview = {
  title: string;
  /** HTML, as the server stores it or as the editor produces it. */
  content: string;
  language: string;
  /** The console's own origin, which serves the pictures. */
  origin: string;
};

/**
 * The document of a frame that shows an article as an app would. The frame is sandboxed without scripts, and the policy
 * keeps even allowed elements from loading anything else.
 */
export function previewDocument({ title, content, language, origin }: Preview): string {
  return `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy(origin))}">
<title>${escapeHtml(title)}</title><style>${styles}</style></head>
<body><h1>${escapeHtml(title)}</h1>${content}</body></html>`;
}
