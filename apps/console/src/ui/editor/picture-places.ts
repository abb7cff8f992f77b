import { type EditorState, Plugin, PluginKey } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { Extension } from '@tiptap/react';

/** Adds or removes a placeholder for an upload, which moves with the text around it. */
type PlaceChange = { add: { id: number; position: number; element: HTMLElement } } | { remove: number };

const placesKey = new PluginKey<DecorationSet>('picture-places');

export const PicturePlaces = Extension.create({
  name: 'picturePlaces',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key: placesKey,
      state: {
        init: () => DecorationSet.empty,
        apply(transaction, before) {
          const places = before.map(transaction.mapping, transaction.doc);
          const change = transaction.getMeta(placesKey) as PlaceChange | undefined;
          if (change === undefined) return places;
          if ('remove' in change) {
            return places.remove(places.find(undefined, undefined, (spec) => spec.id === change.remove));
          }
          const { id, position, element } = change.add;
          const widget = Decoration.widget(position, element, { id, key: `picture ${id}`, stopEvent: () => true });
          return places.add(transaction.doc, [widget]);
        },
      },
      props: {
        decorations: (state) => placesKey.getState(state),
      },
    }),
  ],
});

export function addPlace(view: EditorView, id: number, position: number, element: HTMLElement): void {
  view.dispatch(view.state.tr.setMeta(placesKey, { add: { id, position, element } } satisfies PlaceChange));
}

export function removePlace(view: EditorView, id: number): void {
  view.dispatch(view.state.tr.setMeta(placesKey, { remove: id } satisfies PlaceChange));
}

/** The current position of a placeholder; null if the text around it was deleted. */
export function placeOf(state: EditorState, id: number): number | null {
  const found = placesKey.getState(state)?.find(undefined, undefined, (spec) => spec.id === id) ?? [];
  return found[0]?.from ?? null;
}
