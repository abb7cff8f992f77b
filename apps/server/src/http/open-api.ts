import { setImmediate as nextTurn } from 'node:timers/promises';
import { idempotencyHeader, languageHeader, tokenHeader } from '@voltdeck/contract/envelope';
import { type ErrorCode, errorStatuses, errorsOfAnyRoute, fieldFaultCodes } from '@voltdeck/contract/errors';
import { defaultLanguage, languages } from '@voltdeck/contract/languages';
import { type Route, takesKey } from '@voltdeck/contract/route';
import { all as english } from '@voltdeck/phrases/en/all';
import type { PhraseKey } from '@voltdeck/phrases/phrase';
import * as z from 'zod/mini';
import { csvType } from './csv.ts';
import { xlsxType } from './xlsx.ts';

type Json = Record<string, unknown>;

/**
 * The API description (OpenAPI 3.1), generated from the routes. Each route takes a turn of its own, so that stations
 * are served meanwhile.
 */
export async function openApi(routes: ReadonlyMap<string, Route>): Promise<Json> {
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  for (const [name, route] of routes) {
    const path = `/api${route.path}`;
    const tag = route.path.split('/')[1] ?? '';
    tags.add(tag);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route, tag) };
    await nextTurn();
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Voltdeck',
      version: '1',
      description: english['apiDocs.introduction'],
    },
    servers: [{ url: '/' }],
    tags: [...tags].sort().map((tag) => ({ name: tag })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: tokenHeader },
        tokenInQuery: { type: 'apiKey', in: 'query', name: tokenHeader },
      },
      schemas: { Refusal: refusalSchema },
    },
  };
}

const refusalSchema: Json = {
  type: 'object',
  required: ['message', 'data'],
  properties: {
    message: {
      type: 'object',
      required: ['status', 'code', 'message', 'error', 'requestId'],
      properties: {
        status: { type: 'integer' },
        code: { type: 'integer' },
        message: { type: 'string' },
        error: { type: 'string', enum: Object.keys(errorStatuses) },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'code', 'message'],
            properties: {
              path: { type: 'string' },
              code: { type: 'string', enum: [...fieldFaultCodes] },
              message: { type: 'string' },
            },
          },
        },
        requestId: { type: 'string' },
      },
    },
    data: {},
  },
};

function operation(name: string, route: Route, tag: string): Json {
  const language = {
    name: languageHeader,
    in: 'header',
    schema: { type: 'string', enum: [...languages], default: defaultLanguage },
  };
  const key = {
    name: idempotencyHeader,
    in: 'header',
    required: route.idempotency === 'required',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  };
  return {
    operationId: name,
    summary: route.summary,
    tags: [tag],
    description: `Permission: ${permissionText(route)}`,
    security: security(route),
    parameters: [
      ...parameters(route.params, 'path'),
      ...parameters(route.query, 'query'),
      language,
      ...(takesKey(route) ? [key] : []),
    ],
    ...(route.bodyKind === 'multipart' ? { requestBody: formWithFile } : {}),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              [route.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json']: {
                schema: jsonSchema(route.body, 'input'),
              },
            },
          },
        }),
    responses: { 200: success(route), ...refusals(route) },
  };
}

function security(route: Route): Json[] {
  if (route.permission === 'public') return [];
  if (route.tokenIn === 'query') return [{ token: [] }, { tokenInQuery: [] }];
  // Where the token is a body field, the body's schema has it.
  return route.tokenIn === 'body' ? [{ token: [] }, {}] : [{ token: [] }];
}

const formWithFile: Json = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary' }, description: { type: 'string', maxLength: 500 } },
      },
    },
  },
};

export function permissionText({ permission }: Pick<Route, 'permission'>): string {
  return typeof permission === 'string' ? permission : permission.join(' | ');
}

function success(route: Route): Json {
  const content =
    route.answerKind === 'file'
      ? route.path.endsWith('/export')
        ? { [xlsxType]: {}, [csvType]: {} }
        : { 'application/octet-stream': {} }
      : route.answerKind === 'stream'
        ? { 'text/event-stream': {} }
        : {
            'application/json': {
              schema: {
                type: 'object',
                required: ['message', 'data'],
                properties: {
                  message: {
                    type: 'object',
                    properties: {
                      status: { const: 200 },
                      code: { const: 0 },
                      message: { type: 'string' },
                    },
                  },
                  data: jsonSchema(route.answer, 'output'),
                },
              },
            },
          };
  return { description: 'OK', content };
}

function refusals(route: Route): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set<ErrorCode>([...errorsOfAnyRoute, ...route.errors])) {
    const status = errorStatuses[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `${code}: ${english[`error.${code}` satisfies PhraseKey]}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
      },
    ]),
  );
}

function parameters(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { unrepresentable: 'any', io }) as Json;
  return rest;
}
