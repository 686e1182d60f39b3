// Words that sentences of the rules often use, as in engine/language/cast.py: in a text, an id that is one of them
// stays as it is.

export const PLAIN_WORDS = new Set(`
  ability act action acts after against aid air all allows along already and another any are armor attack
  attacked attacker attacking attacks away back base been before begins behind being between beyond big
  blinded block blocked blow body bonus both break broken but called can cannot cast casting casts chain
  charge check climb combat combatant comes command concealment condition conditions control corner costs
  count counter counts cover covers creature critical cut damage dead deals declare declared defense
  defensively degree denied dies direction disarm dodge does double down drag drain draw drop each effect
  end ends enemy enough enter enters event fact failed fails fall falls fast feat feet fight fire first
  fit flee flees flight fly focus foot for found free from full full-round game gestures get gets give
  gives goes grab grapple grappling ground guide half hand hands hardness harm has have held helpless
  helps hidden hit hits hold holds how hurt ice immune immunity initiative instead into invisible item its
  itself kind knows larger leads least left lets level lies light line lines lives load long lost made
  magic make makes maneuver many map master may melee miss misses more most mount move moved movement
  moves must name named natural needs neither next nonlethal nor not nothing noticed now object obstacle
  off once one only open opening opponent opportunity other out over overrun own part passes past path
  pinned place points poison printed prone provoke provokes push put puts range reach reaches reaction
  read readied ready reduction resistance rest return ride rides roll rolls room round rounds rule rules
  run running save says score secured see sees sheet shield shoots short shot side size skill something
  space speak speed spell square stand standard stands step still stop straight strike strikes struck
  sunder surface surprise surroundings table take taken takes target than that the them there thing this
  through throw thrown throws time today too total touch traits tried tries trip tripped try tumble turn
  turning twice two type unarmed under until use used uses value wall was water way weapon weapons wears
  well what where which while who wide with within without work worn wound
`.trim().split(/\s+/));
