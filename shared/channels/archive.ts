// Pure: channels of the offline archive: stored briefings and news, one search, maintenance.
// Times are the service's (publication) unless a field says otherwise; texts are as the service sent them,
// with their content type.
import { z } from 'zod';
import { MessageSchema } from '../text/message.ts';
import { BriefingSchema, BriefingTextSchema } from '../wire/briefings.ts';
import { NewsSchema, SENTIMENT_LABELS } from '../wire/news.ts';
import { SymbolParamSchema, SymbolSchema, TimestampSchema } from '../wire/primitives.ts';
import { StateSchema } from '../wire/records.ts';
import { intent, push, query } from './channel.ts';

const nothing = z.strictObject({});
const count = z.number().int().nonnegative();

/** Days to keep each kind; null: for ever. Starred briefings and notes are always kept. */
export const RetentionSchema = z.strictObject({
  briefings: z.number().int().min(30).max(36_500).nullable(),
  news: z.number().int().min(1).max(36_500).nullable(),
});
export type Retention = z.infer<typeof RetentionSchema>;
export const DEFAULT_RETENTION: Retention = { briefings: null, news: 365 };

export const TallySchema = z.strictObject({ name: z.string(), all: count, unread: count });

/** State of the archive. Answered by `archive.read`; `archive.changed` pushes all of it. */
export const ArchiveViewSchema = z.strictObject({
  briefings: z.strictObject({
    all: count,
    /** Listed briefings without a text. */
    textless: count,
    unread: count,
    starred: count,
    later: count,
    types: z.array(TallySchema),
    authors: z.array(TallySchema),
  }),
  news: count,
  /** Grows whenever briefings or news are added, removed or flagged: the signal to read a list again. */
  version: count,
  /** Set while texts are being fetched: how many of how many are on this disk. */
  filling: z.strictObject({ done: count, of: count }).nullable(),
  /** True once every text that the service offers is on this disk. */
  complete: z.boolean(),
  /**
   * Why briefings are missing (the service or the plan has no archive, the disk is full); null: all is well.
   */
  problem: MessageSchema.nullable(),
  /** Why news is missing; null: all is well. */
  news_problem: MessageSchema.nullable(),
  /** Size on disk of archive and search index. */
  bytes: count,
  retention: RetentionSchema,
  /** This computer's time of the last integrity check, and its result. */
  checked: z.strictObject({ at: TimestampSchema, sound: z.boolean(), message: MessageSchema }).nullable(),
  /** This computer's time and path of the last backup. */
  backup: z.strictObject({ at: TimestampSchema, file: z.string() }).nullable(),
});
export type ArchiveView = z.infer<typeof ArchiveViewSchema>;

/** A segment of text; `hit` marks a match of the search. */
export const PieceSchema = z.strictObject({ text: z.string(), hit: z.boolean() });
export type Piece = z.infer<typeof PieceSchema>;

const SearchTextSchema = z.string().trim().max(200);
const range = { from: TimestampSchema.nullable().default(null), to: TimestampSchema.nullable().default(null) };
const page = {
  after: z.string().max(300).nullable().default(null),
  limit: z.number().int().min(1).max(200).default(50),
};

/** One of the six types, or the name of another service; "": none. */
export const KeptTypeSchema = z.string().max(40);

export const BRIEFING_BOXES = ['all', 'unread', 'starred', 'later'] as const;
export const BriefingQuerySchema = z.strictObject({
  box: z.enum(BRIEFING_BOXES).default('all'),
  /** Only the unread briefings. */
  unread: z.boolean().default(false),
  /** null: all. */
  types: z.array(KeptTypeSchema).min(1).max(50).nullable().default(null),
  authors: z.array(z.string().max(200)).min(1).max(50).nullable().default(null),
  symbol: SymbolParamSchema.nullable().default(null),
  /**
   * Words to find in title, summary, author or text: all of them, the last also as a prefix; "": no search.
   */
  text: SearchTextSchema.default(''),
  ...range,
  ...page,
});
export type BriefingQuery = z.output<typeof BriefingQuerySchema>;

/** The head of a stored briefing, of any service. */
export const KeptBriefingSchema = BriefingSchema.extend({ type: KeptTypeSchema });
export type KeptBriefing = z.infer<typeof KeptBriefingSchema>;

/** A briefing in a list. */
export const BriefingRowSchema = KeptBriefingSchema.extend({
  unread: z.boolean(),
  starred: z.boolean(),
  later: z.boolean(),
  /** On this disk, to be fetched, or listed without a text by the service. */
  text: z.enum(['here', 'awaited', 'none']),
  /** The match in the text; null without a search. */
  excerpt: z.array(PieceSchema).nullable(),
});
export type BriefingRow = z.infer<typeof BriefingRowSchema>;
/** Newest first. */
export const BriefingPageSchema = z.strictObject({
  rows: z.array(BriefingRowSchema),
  next: z.string().nullable(),
  total: count,
});
export type BriefingPage = z.infer<typeof BriefingPageSchema>;

/** Content type of a text; our service sends Markdown, others may send the rest. */
export const BODY_TYPES = [
  'text/markdown; charset=utf-8',
  'text/html; charset=utf-8',
  'text/plain; charset=utf-8',
] as const;

export const BriefingDetailSchema = BriefingTextSchema.extend({
  type: KeptTypeSchema,
  /** As the service sent it: the component that renders it must sanitise it. */
  content_type: z.enum(BODY_TYPES),
  unread: z.boolean(),
  starred: z.boolean(),
  later: z.boolean(),
  /**
   * Symbols of the briefing with their state at its publication, from the ledger; null where unknown. The
   * snapshot has their current state.
   */
  states_then: z.array(z.strictObject({ symbol: SymbolSchema, state: StateSchema.nullable() })),
  /** Transitions of its symbols near its publication, and briefings about the same symbols, nearest first. */
  linked: z.strictObject({
    transitions: z.array(
      z.strictObject({
        ledger_id: z.number().int().positive(),
        symbol: SymbolSchema,
        to_state: StateSchema,
        at: TimestampSchema,
      }),
    ),
    briefings: z.array(z.strictObject({ id: z.string(), title: z.string(), date: TimestampSchema })),
  }),
});
export type BriefingDetail = z.infer<typeof BriefingDetailSchema>;

export const NewsQuerySchema = z.strictObject({
  symbol: SymbolParamSchema.nullable().default(null),
  sentiment: z.enum(SENTIMENT_LABELS).nullable().default(null),
  source: z.string().max(200).nullable().default(null),
  text: SearchTextSchema.default(''),
  ...range,
  ...page,
});
export type NewsQuery = z.output<typeof NewsQuerySchema>;
/** Of other services, some of which give no address. */
/** Another service may give a news item no address, no time, and no sentiment. */
export const KeptNewsSchema = NewsSchema.extend({
  url: NewsSchema.shape.url.nullable(),
  published_at: NewsSchema.shape.published_at.nullable(),
  sentiment: NewsSchema.shape.sentiment.nullable(),
});
export type KeptNews = z.infer<typeof KeptNewsSchema>;
export const NewsRowSchema = KeptNewsSchema.extend({ excerpt: z.array(PieceSchema).nullable() });
export type NewsRow = z.infer<typeof NewsRowSchema>;
/** Newest first, then those without a time. */
export const NewsPageSchema = z.strictObject({
  rows: z.array(NewsRowSchema),
  next: z.string().nullable(),
  total: count,
  sources: z.array(z.string()),
});
export type NewsPage = z.infer<typeof NewsPageSchema>;

export const HIT_KINDS = ['briefing', 'alert', 'news', 'note', 'symbol_note'] as const;
/**
 * A search result. `id`: of a briefing or news item, or the ledger id of an alert or of the alert that
 * carries the note. symbol_note: a note on a symbol at an instant, as the chart shows it.
 */
export const HitSchema = z.strictObject({
  kind: z.enum(HIT_KINDS),
  id: z.string(),
  title: z.string(),
  excerpt: z.array(PieceSchema),
  symbol: SymbolSchema.nullable(),
  /** null: not known. */
  at: TimestampSchema.nullable(),
});
export type Hit = z.infer<typeof HitSchema>;
const SearchSchema = z.strictObject({
  text: SearchTextSchema.min(1),
  kinds: z.array(z.enum(HIT_KINDS)).min(1).nullable().default(null),
  limit: z.number().int().min(1).max(100).default(20),
});

export const archiveChannels = {
  'archive.read': query(nothing, ArchiveViewSchema),
  'archive.changed': push(ArchiveViewSchema),
  /** Full text over briefings, alerts, notes and news, best first. */
  'archive.search': query(SearchSchema, z.strictObject({ hits: z.array(HitSchema) })),
  'archive.retention': intent(z.strictObject({ retention: RetentionSchema }), nothing),
  /** Checks the file's integrity now; a damaged one is quarantined and filled again. */
  'archive.check': intent(nothing, nothing),
  'briefings.list': query(BriefingQuerySchema, BriefingPageSchema),
  /** Refused with the reason where the text is not on this disk and the service cannot be reached. */
  'briefings.read': query(z.strictObject({ id: z.string().min(1).max(128) }), BriefingDetailSchema),
  /** An absent field stays unchanged. */
  'briefings.flag': intent(
    z.strictObject({
      ids: z.array(z.string().min(1).max(128)).min(1).max(1000),
      unread: z.boolean().optional(),
      starred: z.boolean().optional(),
      later: z.boolean().optional(),
    }),
    nothing,
  ),
  /**
   * Marks the unread briefings of this list as read, on all pages. Answers their ids, newest first, so that
   * `briefings.flag` can undo it.
   */
  'briefings.markAllRead': intent(
    BriefingQuerySchema.omit({ after: true, limit: true, unread: true }),
    z.strictObject({ ids: z.array(z.string()) }),
  ),
  'news.list': query(NewsQuerySchema, NewsPageSchema),
} as const;
export type ArchiveChannels = typeof archiveChannels;
