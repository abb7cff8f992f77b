import { Extension } from '@tiptap/react';

export const alignments = ['left', 'center', 'right'] as const;
export type Alignment = (typeof alignments)[number];

declare module '@tiptap/react' {
  interface Commands<ReturnType> {
    textAlign: {
      /** Aligns the selected paragraphs and headings; left is the default. */
      align: (alignment: Alignment) => ReturnType;
    };
  }
}

const aligned = ['paragraph', 'heading'] as const;

/** Aligns paragraphs and headings left, centre or right with the style attribute. */
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
        // Update every kind rather than stop at the first: a selection may contain both.
        aligned.map((kind) => commands.updateAttributes(kind, { align: alignment })).includes(true),
  }),
});
