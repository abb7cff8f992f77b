import type { Context } from '../context.ts';
import type { Binder } from '../http/bind.ts';
import { bindAdverts } from './adverts/routes.ts';
import { bindArticles } from './articles/routes.ts';
import { bindFeedbacks } from './feedbacks/routes.ts';
import { bindFiles } from './files/routes.ts';

export function bindContent(binder: Binder, context: Context<'console'>): void {
  bindAdverts(binder);
  bindArticles(binder, context);
  bindFeedbacks(binder, context);
  bindFiles(binder, context);
}
