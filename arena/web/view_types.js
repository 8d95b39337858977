// Types of the page, in comments only: the browser never loads this file. Other modules import them
// from types.js, which has the messages too.

/** @import { SpectatorConnection } from "./spectator_connection.js" */
/**
 * @import { Analyse, Analysis, ArenaInfo, BotInfo, BotMatches, ChallengeMessage, CheckName,
 *   Continuations, Exercise, ExplainSteps, ExplainedSteps, FindBot, FindBotMatches,
 *   FindChallenge, FindContinuations, FindExercise, FindGames, FindMargins, FindMatching,
 *   FindMoveValues, FindPlots, FindPosition, FindPuzzle, FindRecord, Leaderboards, LobbyUpdate,
 *   Margins, MatchFinished, MatchList, MatchMoves, MatchRecord, MatchSnapshot, Matching,
 *   MoveValues, NameCheck, OpenChallenge, Plots, PositionInfo, PuzzleInfo, SetupScore,
 *   SpectatorError, Trace, TracedSearch, WinnersUpdate } from "./types.js"
 */

/** @typedef {Record<string, number>} Setup */
/** @typedef {1 | 2} Player */
/** @typedef {Omit<FindGames, "type" | "request" | "limit" | "before">} MatchFilter */
/** @typedef {Omit<ChallengeMessage, "type">} Challenge */
/** @typedef {Pick<SetupScore, "score" | "first" | "second">} BothSides */
/**
 * A search that is shown step by step: of a position of a game, or of a written tree.
 * @typedef {{
 *   game?: string,
 *   setup?: Setup,
 *   moves?: number[],
 *   tree?: string,
 *   depth: number,
 *   variant: string,
 * }} SearchStart
 */
/** @typedef {TracedSearch["steps"][number][number]} StepValue */

/**
 * A question without what the connection adds to it.
 * @template T
 * @typedef {Omit<T, "type" | "request">} Asked
 */

/**
 * The questions of spectators, and their answers.
 * @typedef {{
 *   find_exercise: { question: Asked<FindExercise>, answer: Exercise },
 *   trace: { question: Asked<Trace>, answer: TracedSearch },
 *   explain_steps: { question: Asked<ExplainSteps>, answer: ExplainedSteps },
 *   find_games: { question: Asked<FindGames>, answer: MatchList },
 *   find_puzzle: { question: Asked<FindPuzzle>, answer: PuzzleInfo },
 *   check_name: { question: Asked<CheckName>, answer: NameCheck },
 *   find_challenge: { question: Asked<FindChallenge>, answer: OpenChallenge },
 *   find_margins: { question: Asked<FindMargins>, answer: Margins },
 *   find_plots: { question: Asked<FindPlots>, answer: Plots },
 *   find_bot: { question: Asked<FindBot>, answer: BotInfo },
 *   find_bot_matches: { question: Asked<FindBotMatches>, answer: BotMatches },
 *   find_record: { question: Asked<FindRecord>, answer: MatchRecord },
 *   analyse: { question: Asked<Analyse>, answer: Analysis },
 *   find_move_values: { question: Asked<FindMoveValues>, answer: MoveValues },
 *   find_matching: { question: Asked<FindMatching>, answer: Matching },
 *   find_continuations: { question: Asked<FindContinuations>, answer: Continuations },
 *   find_position: { question: Asked<FindPosition>, answer: PositionInfo },
 * }} Questions
 */

/**
 * Events of the spectator connection, by their names.
 * @typedef {{
 *   about: ArenaInfo,
 *   lobby: LobbyUpdate,
 *   tables: Leaderboards,
 *   match: MatchSnapshot,
 *   moves: MatchMoves,
 *   winners: WinnersUpdate,
 *   result: MatchFinished,
 *   error: SpectatorError,
 *   status: { isConnected: boolean, isClosed: boolean },
 *   waiting: { isWaiting: boolean },
 * }} SpectatorEvents
 */

/**
 * Events of the player connection, by their names. A match is identified by text here.
 * @typedef {{
 *   welcome: { session: string },
 *   challenged: { challenge: string },
 *   started: { match: string, you: Player },
 *   turn: { match: string },
 *   finished: { match: string },
 *   challenge_received: { challenge: string, player: string },
 *   take_back_asked: { match: string },
 *   take_back_declined: { match: string },
 *   opponent_left: { match: string, claim_ms: number, grace_ms: number },
 *   opponent_back: { match: string },
 *   error: { code: string, message: string, match: string | null },
 *   rejected: { reason: string },
 *   disconnected: Record<string, never>,
 *   replaced: Record<string, never>,
 *   known: Record<string, never>,
 * }} PlayerEvents
 */

/**
 * @typedef {{
 *   main: HTMLElement,
 *   connection: SpectatorConnection,
 *   parameters: string[],
 *   query: URLSearchParams,
 *   signal: AbortSignal,
 * }} ViewOptions
 */

/** @typedef {Map<number, "winning" | "hint">} Marks */

/**
 * @typedef {{
 *   moves: number[],
 *   ply?: number,
 *   isInteractive?: boolean,
 *   marks?: Marks,
 *   matching?: Matching | null,
 * }} BoardView
 * @typedef {{
 *   element: HTMLElement,
 *   show(view: BoardView): void,
 *   showsMatching?: boolean,
 * }} Board `showsMatching` is whether a matching in the view would be shown
 * @typedef {{
 *   onMove?: (move: number) => void,
 * }} BoardOptions
 * @typedef {new (setup: Setup, options?: BoardOptions) => Board} BoardClass
 */

/**
 * The rules of a game in sentences, the setup with which they are tried, and that of a first match;
 * `summary` is all rules in one sentence.
 * @typedef {{ setup: Setup, rules: string[], match?: Setup, summary?: string }} Lesson
 */

/**
 * The module of a game, /boards/NAME/board.js: its rules, its notation and its board.
 * @typedef {{
 *   isDrawable(setup: Setup): boolean,
 *   legalMoves(setup: Setup, moves: number[]): number[],
 *   formatMove(move: number): string,
 *   parseMove(text: string): number,
 *   describeMove(setup: Setup, moves: number[], move: number): string,
 *   describeTurn?(setup: Setup, moves: number[]): string,
 *   describeEnd?(setup: Setup, moves: number[]): string,
 *   explainIllegal?(setup: Setup, moves: number[], move: number): string,
 *   commandLine(setup: Setup, moves: number[], depth: number): string,
 *   drawThumbnail(canvas: HTMLCanvasElement, setup: Setup, moves: number[]): void,
 *   Board: BoardClass,
 *   loadGraph?(): Promise<BoardClass>,
 *   lesson?: Lesson,
 * }} GameModule
 */

/**
 * The properties of an element: listeners by the names of their events, and attributes.
 * @typedef {{
 *   [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => unknown
 * } & Record<string, any>} Properties
 */

/** @typedef {Node | string | number | boolean | null | undefined | Child[]} Child */

export {};
