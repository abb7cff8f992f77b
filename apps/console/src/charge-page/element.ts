type Child = Node | string | null;

type Given = {
  class?: string;
  text?: string;
  onClick?: () => void;
  attributes?: Readonly<Record<string, string | undefined>>;
};

/** An element with its children; texts are texts, never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  given: Given = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (given.class !== undefined) made.className = given.class;
  if (given.text !== undefined) made.textContent = given.text;
  for (const [name, value] of Object.entries(given.attributes ?? {})) {
    if (value !== undefined) made.setAttribute(name, value);
  }
  if (given.onClick !== undefined) made.addEventListener('click', given.onClick);
  made.append(...children.filter((child) => child !== null));
  return made;
}

export const button = (text: string, onClick: () => void, kind: 'main' | 'quiet' = 'main') =>
  element('button', { class: kind, text, onClick, attributes: { type: 'button' } });

/** A field with its label. */
export function field(
  label: string,
  attributes: Readonly<Record<string, string>>,
): { box: HTMLElement; input: HTMLInputElement } {
  const input = element('input', { attributes });
  return { box: element('label', { class: 'field' }, element('span', { text: label }), input), input };
}

/** Names and values. */
export function facts(rows: readonly (readonly [string, string] | null)[]): HTMLElement {
  return element(
    'dl',
    {},
    ...rows
      .filter((row) => row !== null)
      .flatMap(([name, value]) => [element('dt', { text: name }), element('dd', { text: value })]),
  );
}

const main = () => document.querySelector('main') as HTMLElement;

/** Shows a view in place of the last one and tells those who cannot see it: its heading gets the focus. */
export function show(title: string, ...children: readonly Child[]): void {
  const heading = element('h1', { text: title, attributes: { tabindex: '-1' } });
  main().replaceChildren(heading, ...children.filter((child) => child !== null));
  heading.focus({ preventScroll: true });
}

/** A place for what goes wrong and what is under way. */
export function notice(): { box: HTMLElement; tell(text: string, kind?: 'bad' | 'quiet'): void } {
  const box = element('p', { class: 'notice', attributes: { role: 'status' } });
  return {
    box,
    tell(text, kind = 'bad') {
      box.className = `notice ${kind}`;
      box.textContent = text;
    },
  };
}
