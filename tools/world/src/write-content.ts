import type { FilePurpose } from '@voltdeck/contract/files';
import { fileRules } from '@voltdeck/contract/files';
import { sanitiseArticle } from '@voltdeck/server/content/articles/sanitise-article';
import type { FileStore } from '@voltdeck/server/files/file-store';
import { fileUrl } from '@voltdeck/server/files/file-url';
import { dayMs, type Instant, instant, toIso } from '@voltdeck/units/instant';
import type pg from 'pg';
import { adverts } from './adverts.ts';
import { articles, guidePicturePlace } from './articles.ts';
import type { People } from './customers.ts';
import type { Canvas } from './draw-picture.ts';
import { buildFeedback } from './feedback.ts';
import type { Network } from './network.ts';
import { advertPictures, feedbackPictures, guidePicture, type SitePictureName, sitePictures } from './pictures.ts';

const sitePictureNames: Readonly<Record<SitePictureName, string>> = {
  entrance: '站点入口.png',
  garage: '地库入口.png',
  sign: '充电标识.png',
  panorama: '站点全景.png',
  charger: '充电桩.png',
};

type Kept = { id: number; key: string; name: string };

/**
 * Writes pictures and what the content screens show, within the caller's transaction: adverts and sites with their
 * pictures, articles and feedback. Pictures are stored before their rows are committed; otherwise nothing refers to them.
 */
export async function writeContent(
  client: pg.ClientBase,
  files: FileStore,
  network: Network,
  people: People,
): Promise<void> {
  const { rows } = await client.query<{ id: number; user_name: string; agent_id: number | null }>(
    'select id, user_name, agent_id from users order by id',
  );
  const author = rows.find(({ user_name }) => user_name === 'ops')?.id ?? null;
  const keep = (canvas: Canvas, name: string, purpose: FilePurpose, at: Instant, agentId: number | null = null) =>
    keepPicture(client, files, { canvas, name, purpose, at, author, agentId });
  const daysAgo = (days: number) => instant(network.now - days * dayMs);

  for (const { title, picture, fileName, page, link, sort, enabled, ageDays } of adverts) {
    const at = daysAgo(ageDays);
    const file = await keep(advertPictures[picture](), fileName, 'advert', at);
    await client.query(
      `insert into adverts (title, picture_file_id, page, link, sort, enabled, created_at, changed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [title, file.id, page, link, sort, enabled, toIso(at)],
    );
  }

  const ofSites = new Map<string, Kept>();
  for (const site of network.sites) {
    for (const [index, { slot, of }] of site.pictures.entries()) {
      const file = ofSites.get(of) ?? (await keep(sitePictures[of](), sitePictureNames[of], 'site', daysAgo(300)));
      ofSites.set(of, file);
      await client.query('insert into site_pictures (site_id, place, file_id, slot) values ($1, $2, $3, $4)', [
        site.id,
        index + 1,
        file.id,
        slot,
      ]);
    }
  }

  const shown = await keep(guidePicture(), '插枪示意.png', 'editor', daysAgo(150));
  const picture = `<img src="${fileUrl(shown)}" alt="插枪示意">`;
  for (const [index, { title, key, category, remark, enabled, content }] of articles.entries()) {
    const at = daysAgo(160 - index * 11);
    await client.query(
      `insert into articles (title, key, category, sort, remark, enabled, content, created_at, changed_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        title,
        key,
        category,
        (index + 1) * 10,
        remark,
        enabled,
        sanitiseArticle(content.replace(guidePicturePlace, picture)),
        toIso(at),
        toIso(daysAgo(70 - index * 7)),
      ],
    );
  }

  for (const feedback of buildFeedback(network, people).reverse()) {
    const agentId = feedback.station?.site.agentId ?? null;
    const photo =
      feedback.picture === null
        ? null
        : await keep(feedbackPictures[feedback.picture](), '现场照片.png', 'feedback', feedback.createdAt, agentId);
    const handler = rows.find((user) => user.agent_id === agentId && user.user_name !== 'admin')?.id ?? author;
    await client.query(
      `insert into feedbacks (kind, state, description, phone, customer_id, agent_id, station_id, station_number,
                              picture_keys, annotation, reply, handled_by, handled_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        feedback.kind,
        feedback.state,
        feedback.description,
        feedback.customer?.phone ?? '',
        feedback.customer?.id ?? null,
        agentId,
        feedback.station?.id ?? null,
        feedback.stationNumber,
        photo === null ? [] : [photo.key],
        feedback.annotation,
        feedback.reply,
        feedback.handledAt === null ? null : handler,
        feedback.handledAt === null ? null : toIso(feedback.handledAt),
        toIso(feedback.createdAt),
      ],
    );
  }
}

async function keepPicture(
  client: pg.ClientBase,
  files: FileStore,
  picture: {
    canvas: Canvas;
    name: string;
    purpose: FilePurpose;
    at: Instant;
    author: number | null;
    agentId: number | null;
  },
): Promise<Kept> {
  const { canvas, name, purpose, at, author, agentId } = picture;
  const rule = fileRules[purpose];
  const kept = await files.put(inOne(canvas.png()), { bytesMax: rule.bytesMax });
  if (!kept.ok) throw new Error(`${name}: ${kept.error.code}`);
  const { key, sizeBytes, sha256 } = kept.value;
  const { rows } = await client.query<{ id: number }>(
    `insert into files (key, name, content_type, size_bytes, sha256, purpose, public, width_px, height_px, user_id,
                        agent_id, created_at)
     values ($1, $2, 'image/png', $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
    [key, name, sizeBytes, sha256, purpose, rule.public, canvas.widthPx, canvas.heightPx, author, agentId, toIso(at)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${name} was not inserted`);
  return { id: row.id, key, name };
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
