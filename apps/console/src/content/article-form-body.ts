import type { Article, ArticleCategory } from '@voltdeck/contract/content';

/** What the fields of the form hold; the names are the contract's, so that the server's errors find their field. */
export type ArticleValues = {
  title: string;
  key?: string | null | undefined;
  category: ArticleCategory;
  sort?: number | null | undefined;
  remark?: string | undefined;
  enabled?: boolean | undefined;
  content: string;
};

export const newArticle: Partial<ArticleValues> = { category: 'guide', sort: 0, enabled: false, content: '' };

export function valuesOf({ title, key, category, sort, remark, enabled, content }: Article): ArticleValues {
  return { title, key, category, sort, remark, enabled, content };
}

/** What saving sends. Call it with values that the form has checked. */
export function bodyOf(values: ArticleValues) {
  const key = values.key?.trim() ?? '';
  return {
    title: values.title.trim(),
    key: key === '' ? null : key,
    category: values.category,
    sort: values.sort ?? 0,
    remark: values.remark?.trim() ?? '',
    enabled: values.enabled ?? false,
    content: values.content,
  };
}

/** Whether saving would lose what the editor has no word for. */
export function hasTables(html: string): boolean {
  return /<table[\s>]/i.test(html);
}
