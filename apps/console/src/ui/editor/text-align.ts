import { Extension } from '@tiptap/react';

export const alignments = ['left', 'center', 'right'] as const;
export type Alignment = (typeof alignments)[number];

declare module '@tiptap/react' {
  interface Commands<ReturnType> {
    textAlign: {
      /** Aligns the paragraphs and headings of the selection; left is the way they begin with. */
      align: (alignment: Alignment) => ReturnType;
    };
  }
}

const aligned = ['paragraph', 'heading'] as const;

/** Paragraphs and headings to the left, in the middle or to the right, as the style attribute says. */
export const TextAlign = Extension.create({
  name: 'textAlign',
  addGlobalAttributes: () => [
    {
      types: [...aligned],
      attributes: {
        align: {
          default: 'left',
          parseHTML: (element) => alignments.find((known) => known === element.style.textAlign) ?? 'left',
          renderHTML: ({ align }) => (align === 'left' ? {} : { style: `text-align: ${align}` }),
        },
      },
    },
  ],
  addCommands: () => ({
    align:
      (alignment) =>
      ({ commands }) =>
        // Every kind, not the first that answers: a selection may hold both.
        aligned.map((kind) => commands.updateAttributes(kind, { align: alignment })).includes(true),
  }),
});
