import { describe, expect, test } from 'vitest';
import { defaultLayout, layoutSettingsKey, readLayout } from './layout-settings.ts';

describe('layout settings (specification section 2)', () => {
  test('layout settings are stored under the specified key and names, with the specified theme first', () => {
    expect(layoutSettingsKey).toBe('layout-setting');
    expect(Object.keys(defaultLayout)).toEqual(['theme', 'tagsView', 'fixedHeader', 'sidebarLogo', 'showSettings']);
    expect(defaultLayout.theme).toBe('#5f7df9');
  });

  test('layout settings are read back as saved', () => {
    const saved = { theme: '#12805c', tagsView: false, fixedHeader: false, sidebarLogo: false, showSettings: false };
    expect(readLayout(JSON.stringify(saved))).toEqual(saved);
  });

  test.each([null, '', '{', 'null', '5', '[]', '"text"'])(
    'layout settings fall back to the defaults where %s was stored',
    (kept) => {
      expect(readLayout(kept)).toEqual(defaultLayout);
    },
  );

  test('layout settings ignore invalid values', () => {
    expect(readLayout('{"theme":"red","tagsView":"no","fixedHeader":false,"other":1}')).toEqual({
      ...defaultLayout,
      fixedHeader: false,
    });
  });
});
