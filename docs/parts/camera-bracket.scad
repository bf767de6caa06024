// Holds a camera module under the arm's end. It lies on its side; y is up when it hangs, x goes along the arm, and
// x = 0 is the lens.
include <numbers.scad>
$fn = 24;

thick = 5;
front = 3.8;        // the camera's socket is beyond it
leg = -20;          // its side towards the lens: the board reaches to -14.5
foot = 46;          // along the arm
screws = [-10, -36]; // from the leg; the second hole is a slot, to turn the picture to the table's edge

module along_y(x, z, long) translate([x, bracket_drop + 1, z]) rotate([90, 0, 0]) linear_extrude(long) children();
// Round, with a roof that needs no support.
module hole(d) hull() { circle(d = d); translate([0, 0.75 * d]) circle(d = 0.01, $fn = 4); }

difference() {
    linear_extrude(bracket_width) polygon([
        [leg - thick - foot, bracket_drop], [leg, bracket_drop], [leg, thick + 4], [leg + 4, thick],
        [front, thick], [front, 0], [leg - thick, 0],
        [leg - thick, bracket_drop - thick - 5], [leg - thick - 5, bracket_drop - thick],
        [leg - thick - foot, bracket_drop - thick],
    ]);
    // The camera, on spacers of 5 mm: the row of holes beside the lens, and the one towards the leg.
    for (x = [0, -camera_holes[1]], side = [-1, 1])
        along_y(x, bracket_width / 2 + side * camera_holes[0] / 2, bracket_drop + 2) hole(m2);
    along_y(leg - thick + screws[0], bracket_width / 2, thick + 2) hole(wood_screw);
    along_y(leg - thick + screws[1], bracket_width / 2, thick + 2)
        hull() for (side = [-3, 3]) translate([0, side]) hole(wood_screw);
}
