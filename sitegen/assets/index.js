// The search index. A big digest has one in shards, newest papers first, which Pagefind merges; here
// they are made to answer like one, and are loaded no sooner than somebody searches.
const SHARD = "shard"; // filter that tells the shards apart
// Stands in every paper as a word of its own. Asked for all papers without a word, the engine would
// load its whole index, megabytes of it; asked for this letter, one piece. Put after a word, it makes
// a word that no paper has.
export const EVERY = "ꙮ";
const FEW = 5; // hits of a shard that are worth a look at one of them
const COMPOUND = /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;
const OPTIONS = {
  ranking: {
    // a name in the headline or among the names a paper introduces says most
    metaWeights: { title: 5, names: 12 },
    // abstracts are of like length; a name is no less a name in a long one
    pageLength: 0.4,
    termSimilarity: 3,
  },
};

// Opens the part with the newest papers. `place` is the address of the engine's script.
export async function openIndex(place) {
  const [engine, plan] = await Promise.all([
    import(place),
    fetch(new URL("shards.json", place)).then((answer) => answer.json()),
  ]);
  const index = new Index(engine, plan, place);
  await index.open();
  return index;
}

const only = (shard) => ({ ...OPTIONS, mergeFilter: { [SHARD]: shard.language } });
const squash = (text) => text.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}+#]/gu, "");
const spot = (hit) => `${hit.id} ${hit.words}`;
const shardOf = (hit) => hit.id.slice(0, hit.id.lastIndexOf("_"));
const termsOf = (text) => [...new Set(text.replaceAll('"', " ").split(/\s+/).filter(Boolean))];

class Index {
  constructor(engine, plan, place) {
    this.engine = engine;
    this.shards = plan.shards;
    this.papers = plan.papers;
    this.counts = plan.counts; // of each filter's values, over all papers
    this.missing = 0; // papers whose shard could not be loaded
    this.place = place;
    this.single = plan.shards.length === 1;
    this.whole = this.single;
    this.merging = null;
    this.looked = new Map(); // term to the promise of what is known of it
  }

  async open() {
    await this.engine.options(this.single ? OPTIONS : only(this.shards[0]));
    await this.engine.init();
    await this.engine.filters(); // counts need the filters' own index
  }

  // Loads all other shards; `told` hears how many of how many are there.
  load(told = () => {}) {
    this.told = told;
    this.merging ??= this.single ? Promise.resolve() : this.merge();
    return this.merging;
  }

  async merge() {
    const [, ...others] = this.shards;
    let done = 1;
    const merged = await Promise.allSettled(
      others.map(async (shard) => {
        await this.engine.mergeIndex(new URL(shard.path, this.place).pathname, only(shard));
        this.told(++done, this.shards.length);
      }),
    );
    const lost = others.filter((_, at) => merged[at].status === "rejected");
    if (lost.length) {
      // The engine would wait for ever for what did not come: begin anew without.
      this.missing += lost.reduce((sum, shard) => sum + shard.papers, 0);
      this.shards = this.shards.filter((shard) => !lost.includes(shard));
      await this.engine.destroy();
      await this.open();
      return this.merge();
    }
    await this.engine.filters();
    this.whole = true;
  }

  // Like the engine's own search; with shards, over those that are loaded. `known` asks for nothing
  // where a word stands in no paper.
  async search(text, options = {}, known = false) {
    if (this.single || !this.whole) return this.engine.search(text, options);
    const terms = text === EVERY || /^\s*".+"\s*$/.test(text) ? [] : await this.look(text);
    if (known && terms.some((term) => !term.own.size)) return { results: [], filters: {} };
    const within = await this.within(terms);
    if (!within.length) return { results: [], filters: {} };
    const filters = { ...options.filters };
    if (within.length < this.shards.length) filters[SHARD] = { any: within };
    const found = await this.engine.search(text, { ...options, filters });
    if (options.sort) found.results = this.newestFirst(found.results);
    else if (terms.length) found.results = this.bestFirst(found.results, terms);
    return found;
  }

  // Words of a text that no paper has.
  async unknown(words) {
    if (this.single || !this.whole) {
      const found = await Promise.all(words.map((word) => this.engine.search(word, {})));
      return words.filter((_, at) => !found[at].results.length);
    }
    const looked = await Promise.all(words.map((word) => this.look(word)));
    return words.filter((_, at) => looked[at].some((term) => !term.own.size));
  }

  // The engine's scores of a sorted search are places within a shard; shards don't overlap in date.
  newestFirst(hits) {
    const groups = new Map(this.shards.map((shard) => [shard.language, []]));
    for (const hit of hits) groups.get(shardOf(hit))?.push(hit);
    return [...groups.values()].flat();
  }

  // The engine weighs a word by its rareness within a shard. By its rareness among all papers, the
  // scores of a shard are all higher or all lower: exactly so for one word, nearly so for several.
  bestFirst(hits, terms) {
    const rareness = (papers, having) => Math.log(1 + (papers - having + 0.5) / (having + 0.5));
    const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
    const papers = sum(this.shards.map((shard) => shard.papers));
    const known = terms.filter(({ having }) => having.size);
    const overall = sum(known.map(({ having }) => rareness(papers, sum([...having.values()]))));
    const factors = new Map(
      this.shards.map(({ language, papers: own }) => [
        language,
        overall / sum(known.map(({ having }) => rareness(own, having.get(language) ?? 0))),
      ]),
    );
    const score = (hit) => hit.score * (factors.get(shardOf(hit)) || 1);
    return [...hits].sort((a, b) => score(b) - score(a));
  }

  // Shards that have every word of a text which any of them has. The engine passes over a word that
  // a shard does not have, or takes the beginning of it: right for a word that no paper has, wrong
  // for one that stands in other shards.
  async within(terms) {
    const sets = await Promise.all(terms.map(({ own, term }) => (own.size ? own : this.begun(term))));
    const needed = sets.filter((set) => set.size);
    const all = this.shards.map((shard) => shard.language);
    return all.filter((name) => needed.every((set) => set.has(name)));
  }

  look(text) {
    return Promise.all(
      termsOf(text).map((term) => {
        if (!this.looked.has(term)) this.looked.set(term, this.lookFor(term));
        return this.looked.get(term);
      }),
    );
  }

  // What is to be known of a term: `own`, the shards with words that begin with it; `having`, the
  // number of papers found in each shard.
  async lookFor(term) {
    const ask = (texts) => Promise.all(texts.map((text) => this.engine.search(text, {})));
    const [found, exact] = await ask([term, `"${term}"`]);
    const having = new Map();
    for (const hit of found.results) having.set(shardOf(hit), (having.get(shardOf(hit)) ?? 0) + 1);
    const own = new Set(exact.results.map(shardOf));
    if (own.size < having.size) {
      // What is found for the term, for a longer one and for that without the term's last letter
      // was found by a beginning of the term …
      const [longer, other] = await ask([term + EVERY, (term.slice(0, -1) || term) + EVERY]);
      const others = new Set(other.results.map(spot));
      const alike = new Set(longer.results.map(spot).filter((one) => others.has(one)));
      const doubtful = new Map();
      for (const hit of found.results) {
        const shard = shardOf(hit);
        if (own.has(shard)) continue;
        if (!alike.has(spot(hit))) own.add(shard);
        else doubtful.set(shard, [...(doubtful.get(shard) ?? []), hit]);
      }
      // … but for compounds, whose parts stand in the same place.
      const few = [...doubtful].filter(([shard, hits]) => !own.has(shard) && hits.length <= FEW);
      await Promise.all(
        few.map(async ([shard, hits]) => (await bears(hits[0], term)) && own.add(shard)),
      );
    }
    if (own.size) for (const shard of [...having.keys()]) if (!own.has(shard)) having.delete(shard);
    return { term, own, having };
  }

  // Shards with the longest beginning that any paper has of a word which none has.
  async begun(term) {
    for (let end = term.length - 1; end > 0; end--) {
      const { results } = await this.engine.search(`"${term.slice(0, end)}"`, {});
      if (results.length) return new Set(results.map(shardOf));
    }
    return new Set();
  }
}

// Whether a compound that was found begins with the term.
async function bears(hit, term) {
  const { content, locations } = await hit.data();
  const words = content.split(/\s+/);
  const found = locations.map((at) => words[at] ?? "").filter((word) => COMPOUND.test(word));
  return !locations.length || found.some((word) => squash(word).startsWith(squash(term)));
}
